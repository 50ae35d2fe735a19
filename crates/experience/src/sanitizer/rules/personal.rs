//! Which texts tell who somebody is, or where?

use std::net::{Ipv4Addr, Ipv6Addr};

use super::super::rule::{Matched, Reads, Rule};

#[rustfmt::skip]
pub(super) const RULES: &[Rule] = &[
    Rule {
        id: "email-address", finds: "e-mail address", replacement: "user@example.com",
        keywords: &["@"],
        pattern: r"[A-Za-z0-9][A-Za-z0-9._%+-]{0,63}@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.){1,8}[A-Za-z]{2,24}",
        reads: Reads::Judged(is_email),
        hits: &["write to jane.doe@gmail.com", "<li.lei@corp.cn>", "mailto:admin@trailhead.io", "联系张三zhangsan@qq.com"],
        passes: &[
            "user@example.com", "alice@mail.example.org", "git@github.com:owner/name.git", "icon@2x.png", "root@localhost",
            "npm i react@18.2.0", "you@yourdomain.com", "noreply@github.com", "test@test.com", "dev@host.local", "foo@bar.com",
            "https://user:secret@yelp.com/", "import x from '@scope/name'", "pkg@latest.tgz", "1234+me@users.noreply.github.com",
        ],
    },
    Rule {
        id: "home-path", finds: "home folder of a user", replacement: "user",
        keywords: &["/home/", "/users/", "users\\"],
        pattern: r"(?:/home/|/Users/|\b[A-Za-z]:(?:\\{1,4}|/)(?i:Users)(?:\\{1,4}|/)|\\{1,2}Users\\{1,2})([A-Za-z0-9_][\w.-]{0,63})",
        reads: Reads::Judged(is_home),
        hits: &[
            "/home/jsmith/project/main.rs", "/Users/jane.doe/Library", r"C:\Users\jdoe\AppData", r"C:\\Users\\jdoe\\AppData", // tidy: example path
            "file:///home/jsmith/x", "cd /home/jsmith", "/mnt/c/Users/jdoe/x", // tidy: example path
        ],
        passes: &[
            "/home/user/project", "/home/$USER/project", "/home/<name>/x", "/Users/username/x", r"C:\Users\Public\x", // tidy: example path
            "https://site.example/home/dashboard", "/home/runner/work", "~/project", "/home/ubuntu/app", "GET /home/settings", // tidy: example path
            "/Users/Shared/x", "src/home/page.tsx", r"C:\Users\%USERNAME%\x", // tidy: example path
        ],
    },
    Rule {
        id: "public-ip-address", finds: "public IP address", replacement: "192.0.2.1",
        keywords: &[],
        pattern: r"\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}",
        reads: Reads::Judged(is_public_address),
        hits: &["ssh 52.14.87.201", "listen on 93.184.216.34:443", "203.8.25.17/32"],
        passes: &[
            "127.0.0.1", "10.1.2.3", "192.168.0.14:8080", "172.16.5.4", "192.0.2.44", "198.51.100.7", "203.0.113.9", "0.0.0.0",
            "255.255.255.0", "version 12.14.87.20", "Chrome/120.0.6099.109", "Chrome/120.0.0.0", "v1.20.3.44", "8.8.8.8",
            "1.2.3.4", "100.64.0.1", "169.254.169.254", "lib-52.14.87.201.jar", "1.2.3.4.5", "999.14.87.201",
            "OID 2.16.840.1", "package==4.8.22.61",
        ],
    },
    Rule {
        id: "public-ip-address", finds: "public IP address", replacement: "2001:db8::1",
        keywords: &["::", ":"],
        pattern: r"[23][0-9A-Fa-f]{3}:(?:[0-9A-Fa-f]{0,4}:){1,6}[0-9A-Fa-f]{0,4}",
        reads: Reads::Judged(is_public_address_6),
        hits: &["ping 2a00:1450:4001:81b::200e"],
        passes: &["2001:db8::1", "fe80::1", "::1", "fd00::17", "2001:4860:4860::8888", "2024:12:31", "std::vec"],
    },
    Rule {
        id: "phone-number", finds: "phone number", replacement: "<phone>",
        keywords: &["+"],
        pattern: r"\+[1-9]\d{0,2}[ .-]?(?:\(\d{1,4}\)[ .-]?)?\d{1,4}(?:[ .-]?\d{2,4}){2,4}",
        reads: Reads::Judged(is_international_phone),
        hits: &["call +49 30 901820-15", "+8613924681357", "+1 (415) 867-5309"],
        passes: &["+1 555 0100", "a+1234567890123", "2024-01-01T00:00:00+0800", "x = y +10000000000", "+1-555-555-0123", "1e+1000000"],
    },
    Rule {
        id: "phone-number", finds: "phone number", replacement: "<phone>",
        keywords: &["phone", "tel", "mobile", "call", "cell", "whatsapp", "fax", "手机", "电话", "联系", "微信", "客服"],
        pattern: r"(?i)(?:phone|tel|mobile|call|cell|whatsapp|fax|手机|电话|联系|微信|客服)[^\d\n+]{0,24}((?:\(?[2-9]\d{2}\)?[ .-]?[2-9]\d{2}[ .-]?\d{4})|1[3-9]\d[ -]?\d{4}[ -]?\d{4}|0\d{2,3}-\d{7,8})",
        reads: Reads::Judged(is_told_phone),
        hits: &["phone: (415) 867-5309", "手机号13924681357", "联系电话：010-62345678", "Tel. 415-867-5309"],
        passes: &["phone: 555-0100", "phone: 415-555-0123", "手机号：13800138000", "telemetry 13912345678901", "call 1234567890"],
    },
    Rule {
        id: "phone-number", finds: "phone number", replacement: "<phone>",
        keywords: &["-", " "],
        pattern: r"\(?[2-9]\d{2}\)?[ -][2-9]\d{2}-\d{4}|1[3-9]\d-\d{4}-\d{4}",
        reads: Reads::Judged(is_told_phone),
        hits: &["(415) 867-5309", "ring 415-867-5309 now", "139-2468-1357"],
        passes: &["555-555-0123", "2024-05-1234", "415-867-53091", "uuid 415-867-5309-1"],
    },
    Rule {
        id: "chinese-identity-number", finds: "number of a Chinese identity card", replacement: "<id>",
        keywords: &["19", "20"],
        pattern: r"[1-8]\d{5}(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d{3}[\dXx]",
        reads: Reads::Judged(is_identity_number),
        hits: &["身份证 11010519491231002X"],
        passes: &["110105194912310021", "id 202401011234567890"],
    },
];

fn is_email(matched: &Matched<'_>) -> bool {
    let address = String::from_utf8_lossy(matched.value()).to_ascii_lowercase();
    let Some((local, domain)) = address.split_once('@') else { return false };
    let before = matched.before(128);
    let in_address = before.windows(3).rposition(|window| window == b"://").is_some_and(|place| {
        before[place + 3..].iter().all(|byte| !byte.is_ascii_whitespace() && !b"/?#\"'<>".contains(byte))
    });
    let ending = domain.rsplit('.').next().unwrap_or_default();
    let site = domain.rsplit('.').nth(1).unwrap_or_default();
    let path = matched.byte_before().is_some_and(|byte| byte.is_ascii_alphanumeric() || b"/@._%+-".contains(&byte))
        || matches!(matched.byte_after(), Some(b'@' | b'('));
    let reserved = RESERVED_ENDINGS.contains(&ending)
        || FILE_ENDINGS.contains(&ending)
        || RESERVED_SITES.contains(&site)
        || site.len() == 1;
    let role = RESERVED_USERS.contains(&local) || local.contains("noreply") || local.contains("no-reply");
    !(in_address || path || reserved || role || domain.ends_with("noreply.github.com") || domain.starts_with("your"))
}

#[rustfmt::skip]
const RESERVED_ENDINGS: &[&str] = &["example", "test", "invalid", "localhost", "local", "internal", "lan", "home", "corp"];
#[rustfmt::skip]
const RESERVED_SITES: &[&str] = &["example", "test", "domain", "yourdomain", "mydomain", "company", "yourcompany", "mycompany", "bar", "foo", "email", "acme"];
#[rustfmt::skip]
const RESERVED_USERS: &[&str] = &["git", "hg", "svn", "you", "your", "name", "username", "your.name", "your.email", "someone", "foo", "xxx", "youremail", "your-email", "your_email"];
#[rustfmt::skip]
const FILE_ENDINGS: &[&str] = &[
    "css", "gif", "go", "gz", "html", "jar", "java", "jpeg", "jpg", "js", "json", "jsx", "lock", "md", "png", "py", "rs", "service",
    "so", "svg", "target", "tgz", "toml", "ts", "tsx", "txt", "webp", "whl", "xml", "yaml", "yml", "zip",
];

fn is_home(matched: &Matched<'_>) -> bool {
    let name = String::from_utf8_lossy(matched.value()).to_ascii_lowercase();
    let name = name.trim_end_matches(['.', '-']);
    let before = matched.before(32);
    let continues = before.last().is_some_and(|byte| byte.is_ascii_alphanumeric() || b"_-.})$>%~".contains(byte));
    let mounted = before.ends_with(b"/mnt/c") || before.ends_with(b"file://") || before.ends_with(b"file:/");
    let windows = matched.text[matched.whole.clone()].contains(&b'\\')
        || matched.text.get(matched.whole.start + 1) == Some(&b':');
    (windows || mounted || !(continues || before.ends_with(b"/"))) && !NO_PERSON.contains(&name) && !name.is_empty()
}

/// Accounts that belong to nobody, and pages of a site under `/home/`.
#[rustfmt::skip]
const NO_PERSON: &[&str] = &[
    "about", "account", "action", "admin", "administrator", "agent", "airflow", "all", "api", "app", "appuser", "assets", "bin",
    "build", "builder", "bundle", "cache", "ci", "circleci", "client", "coder", "codespace", "config", "container", "contents",
    "dashboard", "data", "debian", "default", "deploy", "dev", "developer", "docker", "docs", "ec2-user", "elasticsearch",
    "etc", "example", "feed", "foo", "git", "github", "gitlab-runner", "gitpod", "guest", "hadoop", "home", "images", "index",
    "index.html", "jenkins", "jovyan", "kali", "lib", "linuxbrew", "list", "login", "main", "me", "my", "myname", "myuser",
    "name", "news", "nginx", "node", "nonroot", "opc", "oracle", "page", "pi", "postgres", "profile", "project", "projects",
    "public", "pwuser", "python", "rails", "react", "root", "runner", "runneradmin", "rust", "sandbox", "search", "server",
    "service", "settings", "shared", "site", "somebody", "someone", "src", "static", "steam", "sub", "sysadmin", "test",
    "tester", "testuser", "travis", "ubuntu", "user", "user1", "user2", "username", "users", "vagrant", "view", "vscode", "web",
    "welcome", "whoever", "work", "worker", "www", "www-data", "xxx", "you", "your", "your-name", "your-username", "your_name",
    "your_user", "your_username", "yourname", "youruser", "yourusername",
];

fn is_public_address(matched: &Matched<'_>) -> bool {
    let text = String::from_utf8_lossy(matched.value()).into_owned();
    let Ok(address) = text.parse::<Ipv4Addr>() else { return false };
    let octets = address.octets();
    let touched =
        matched.byte_before().is_some_and(|byte| {
            byte.is_ascii_alphanumeric() || b"._-=/^~<>$\\".contains(&byte) && !is_address_sign(matched)
        }) || matched.byte_after().is_some_and(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-');
    let goes_on = matched.byte_after() == Some(b'.')
        && matched.text.get(matched.secret.end + 1).is_some_and(u8::is_ascii_alphanumeric);
    let reserved = is_reserved(octets);
    let like_a_version = octets.iter().all(|octet| *octet < 32);
    let steps: Vec<i32> = octets.windows(2).map(|pair| i32::from(pair[1]) - i32::from(pair[0])).collect();
    let invented = like_a_version || (steps[0] == steps[1] && steps[1] == steps[2]);
    !reserved
        && !invented
        && !touched
        && !goes_on
        && !follows_word(matched, &["version", "ver", "v", "release", "build", "oid", "assembly", "upgrade", "section"])
}

/// Private, for documentation, for groups, or known to everybody: the public resolvers.
fn is_reserved(octets: [u8; 4]) -> bool {
    matches!(
        octets,
        [0 | 10 | 127 | 224..=255, ..]
            | [100, 64..=127, ..]
            | [169, 254, ..]
            | [172, 16..=31, ..]
            | [192, 168, ..]
            | [192, 0, 0 | 2, _]
            | [192, 88, 99, _]
            | [198, 18..=19, ..]
            | [198, 51, 100, _]
            | [203, 0, 113, _]
            | [_, _, _, 0]
            | [1, 2, 3, 4]
            | [8, 8, 8, 8]
            | [8, 8, 4, 4]
            | [1, 1, 1, 1]
            | [1, 0, 0, 1]
            | [9, 9, 9, 9]
            | [114, 114, 114, 114]
    )
}

/// `//52.14.87.201` and `=52.14.87.201` are addresses, `/120.0.0.1` behind a word is the version of a program.
fn is_address_sign(matched: &Matched<'_>) -> bool {
    let before = matched.before(4);
    before.ends_with(b"//") || (before.ends_with(b"=") && !before.ends_with(b"=="))
}

/// The word before the match, whatever blanks and signs stand between, is one of these.
fn follows_word(matched: &Matched<'_>, words: &[&str]) -> bool {
    let before = String::from_utf8_lossy(matched.before(32)).to_ascii_lowercase();
    let before = before.trim_end_matches(|character: char| !character.is_ascii_alphanumeric());
    let word = before.rsplit(|character: char| !character.is_ascii_alphanumeric()).next().unwrap_or_default();
    words.contains(&word)
}

fn is_public_address_6(matched: &Matched<'_>) -> bool {
    let text = String::from_utf8_lossy(matched.value()).into_owned();
    let Ok(address) = text.trim_end_matches(':').parse::<Ipv6Addr>() else { return false };
    let segments = address.segments();
    let documentation = segments[0] == 0x2001 && (segments[1] == 0x0db8 || segments[1] == 0) || segments[0] == 0x3fff;
    let resolver = segments[..2] == [0x2001, 0x4860] || segments[..2] == [0x2606, 0x4700];
    matched.stands_alone() && matched.byte_before() != Some(b':') && !documentation && !resolver
}

fn is_international_phone(matched: &Matched<'_>) -> bool {
    let value = matched.value();
    let digits: Vec<u8> = value.iter().copied().filter(u8::is_ascii_digit).collect();
    let before = matched.byte_before();
    let expression = before.is_some_and(|byte| byte.is_ascii_alphanumeric() || b")]}_.".contains(&byte));
    let separated = value.iter().any(|byte| !byte.is_ascii_digit() && *byte != b'+');
    let signs: Vec<u8> = value[1..].iter().copied().filter(|byte| !byte.is_ascii_digit()).collect();
    let decimal = signs == [b'.'];
    let zeros = digits.iter().filter(|digit| **digit == b'0').count();
    (10..=15).contains(&digits.len())
        && !expression
        && !decimal
        && (separated || digits.len() >= 11)
        && 2 * zeros < digits.len()
        && ends_alone(matched)
        && !is_fictional(&digits)
}

fn is_told_phone(matched: &Matched<'_>) -> bool {
    let digits: Vec<u8> = matched.value().iter().copied().filter(u8::is_ascii_digit).collect();
    let before = matched.byte_before();
    let continues = before.is_some_and(|byte| {
        byte.is_ascii_alphanumeric() && matched.whole.start == matched.secret.start || byte.is_ascii_digit()
    }) || matched.whole.start == matched.secret.start
        && before.is_some_and(|byte| b"-_./+".contains(&byte));
    !continues && ends_alone(matched) && !is_fictional(&digits)
}

fn ends_alone(matched: &Matched<'_>) -> bool {
    !matched.byte_after().is_some_and(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-')
}

/// Numbers that are kept free for films and manuals, and those that every manual uses.
fn is_fictional(digits: &[u8]) -> bool {
    let has = |part: &[u8]| digits.windows(part.len()).any(|window| window == part);
    let masked = digits.windows(6).any(|window| window.iter().all(|digit| *digit == window[0]));
    has(b"555") || has(b"1234567") || has(b"13800138000") || has(b"7700900") || has(b"5550") || masked
}

/// The last character is a checksum of the others.
fn is_identity_number(matched: &Matched<'_>) -> bool {
    const WEIGHTS: [u32; 17] = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2];
    let value = matched.value();
    let sum: u32 = value.iter().zip(WEIGHTS).map(|(digit, weight)| u32::from(digit - b'0') * weight).sum();
    let expected = b"10X98765432"[(sum % 11) as usize];
    matched.stands_alone() && value.last().is_some_and(|last| last.to_ascii_uppercase() == expected)
}
