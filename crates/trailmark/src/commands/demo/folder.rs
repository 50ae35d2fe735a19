//! A data folder and a sample project that are gone when the demo ends.

use std::fs;
use std::path::PathBuf;

use anyhow::Context;
use serde_json::Value;

/// A project to index, small enough to be shown.
const SAMPLE: &[(&str, &str)] = &[
    (
        "shop/payment.py",
        "def retry(action, times):\n    for _ in range(times):\n        action()\n\n\nclass PaymentClient:\n    \
         def charge(self, amount):\n        \"\"\"Charges the card, at most 3 times.\"\"\"\n        \
         retry(lambda: self.post(amount), times=3)\n\n    def post(self, amount):\n        print(amount)\n",
    ),
    (
        "shop/cart.py",
        "from shop.payment import PaymentClient\n\n\ndef check_out(total):\n    PaymentClient().charge(total)\n",
    ),
];
/// What is put above the class while a client is connected.
const NEW_FUNCTION: &str = "def refund(amount):\n    return -amount\n\n\n";

pub(super) struct DemoFolder(PathBuf);

impl DemoFolder {
    pub(super) fn create() -> anyhow::Result<Self> {
        let path = std::env::temp_dir().join(format!("trailmark-demo-{}", uuid::Uuid::new_v4().simple()));
        let folder = Self(path);
        SAMPLE.iter().try_for_each(|(path, text)| folder.write(path, text))?;
        fs::create_dir(folder.home())?;
        Ok(folder)
    }

    pub(super) fn home(&self) -> PathBuf {
        self.0.join("data")
    }

    pub(super) fn project(&self) -> PathBuf {
        self.0.join("sample")
    }

    /// Where the document of the demo's service is.
    pub(super) fn document(&self) -> PathBuf {
        self.0.join("shop.json")
    }

    pub(super) fn write_document(&self, document: &Value) -> anyhow::Result<()> {
        fs::write(self.document(), document.to_string()).context("cannot write the document of the service")
    }

    /// A new function, as somebody with an editor makes it.
    pub(super) fn change(&self) -> anyhow::Result<()> {
        let (path, text) = SAMPLE[0];
        self.write(path, &text.replace("class PaymentClient", &format!("{NEW_FUNCTION}class PaymentClient")))
    }

    fn write(&self, path: &str, text: &str) -> anyhow::Result<()> {
        let path = self.project().join(path);
        let parent = path.parent().unwrap_or(&path);
        fs::create_dir_all(parent).with_context(|| format!("cannot make the folder {}", parent.display()))?;
        fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))
    }
}

impl Drop for DemoFolder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
