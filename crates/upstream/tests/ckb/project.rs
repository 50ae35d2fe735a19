//! A small TypeScript project, and the programs that read it.

use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use tempfile::TempDir;

const FILES: &[(&str, &str)] = &[
    ("package.json", r#"{"name": "shop", "version": "1.0.0"}"#),
    ("tsconfig.json", r#"{"compilerOptions": {"target": "es2020", "strict": true}, "include": ["src"]}"#),
    ("src/price.ts", PRICE),
    ("src/cart.ts", CART),
    ("src/checkout.ts", CHECKOUT),
    ("src/odd.ts", ODD),
];

const PRICE: &str = "export function roundPrice(amount: number): number {
    return Math.round(amount * 100) / 100;
}

export function priceWithTax(amount: number, rate: number): number {
    return roundPrice(amount * (1 + rate));
}
";

const CART: &str = "import { priceWithTax } from './price';

export class Cart {
    private items: number[] = [];

    add(amount: number): void {
        this.items.push(amount);
    }

    total(rate: number): number {
        return this.items.reduce((sum, item) => sum + priceWithTax(item, rate), 0);
    }
}
";

const CHECKOUT: &str = "import { Cart } from './cart';

export function checkout(cart: Cart, rate: number): string {
    const total = cart.total(rate);
    return describe(total);
}

function describe(total: number): string {
    return `to pay: ${total}`;
}

export const main = (): string => {
    const cart = new Cart();
    cart.add(3);
    return checkout(cart, 0.2);
};
";

/// Everything that CKB books on the wrong symbol: variables that hold functions, heads of several lines, types in them,
/// constructors, code outside of functions.
const ODD: &str = "import { roundPrice, priceWithTax } from './price';

export const half = (value: number, unused: string): number => roundPrice(value / 2);

export function options(
    first: number,
    second: number,
): { low: number; high: number } {
    const result = {
        low: half(first, 'x'),
        high: priceWithTax(second, 0.1),
    };
    return { low: roundPrice(result.low), high: result.high };
}

export class Shelf {
    constructor(private readonly size: number, label: string) {
        this.size = half(size, label);
    }

    get room(): number {
        return this.fit(2);
    }

    fit(count: number): number {
        const inner = (x: number) => roundPrice(x);
        return inner(count) + this.fit(count - 1);
    }
}

export function recurse(n: number): number {
    return n > 0 ? recurse(n - 1) : options(1, 2).low;
}

function noParameters(): number {
    return recurse(3);
}

roundPrice(noParameters());
";

pub(crate) struct Project {
    folder: TempDir,
}

impl Project {
    /// Set up for CKB, and indexed.
    pub(crate) fn with_index() -> Self {
        Self::with(&[])
    }

    /// The same with more files.
    pub(crate) fn with(files: &[(&str, &str)]) -> Self {
        let project = Self::without_index();
        for (name, text) in files {
            fs::write(project.root().join(name), text).unwrap();
        }
        let mut indexer = Command::new(node());
        indexer.arg(script("TRAILMARK_TEST_SCIP_TYPESCRIPT")).args(["index", "--no-progress-bar"]);
        run(indexer.current_dir(project.root()));
        project
    }

    /// Set up for CKB only.
    pub(crate) fn without_index() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let project = Self { folder };
        for (name, text) in FILES {
            let file = project.root().join(name);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, text).unwrap();
        }
        let home = project.folder.path().join("home");
        fs::create_dir_all(&home).unwrap();
        let mut init = Command::new(node());
        // CKB keeps a list of its projects in the home folder.
        init.arg(script("TRAILMARK_TEST_CKB")).arg("init").env("HOME", home).env("CKB_REPO", project.root());
        run(init.current_dir(project.root()));
        project
    }

    pub(crate) fn root(&self) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join("project")
    }

    pub(crate) fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }
}

/// Node, as the test run gives it.
pub(crate) fn node() -> PathBuf {
    script("TRAILMARK_TEST_NODE").into()
}

pub(crate) fn script(variable: &str) -> OsString {
    std::env::var_os(variable)
        .unwrap_or_else(|| panic!("{variable} is not set: run `cargo xtask test --only tests-with-ckb`"))
}

fn run(command: &mut Command) {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
}
