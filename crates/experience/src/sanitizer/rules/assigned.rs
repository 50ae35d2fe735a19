//! Which literals stand under a name that promises a secret?

use super::super::name;
use super::super::rule::{Matched, REDACTED, Reads, Rule};
use super::super::value;

#[rustfmt::skip]
pub(super) const RULES: &[Rule] = &[
    Rule {
        id: "assigned-secret", finds: "literal value of a password, token or key", replacement: REDACTED,
        keywords: &["pass", "pwd", "psw", "pw", "secret", "token", "key", "cred", "auth", "login", "bearer", "jwt", "session", "cookie",
            "signature"],
        pattern: r#"(?i)((?:passw(?:or)?d|passphrase|passcode|pass|pswd|psw|pwd|pw|secret|token|api[_.-]?key|key|credential|auth|login|bearer|jwt|session|cookie|signature)[\w.-]{0,40})(?:\\?["'`]|\])*(?:\s{1,4}(?:string|str|text)\b|\s{0,2}:\s{0,2}(?:&(?:'\w{1,9} )?str|string|str|any|option<\w+>)\b)?(?:\s{0,10}(?::=|\?=|::?=|={1,3}>?|!={1,2}|:|->|<-|,|>)\s{0,10}|[ \t]{1,8})"#,
        reads: Reads::Assigned(|assigned| assigned.is_secret()),
        hits: &[
            "password = \"hunter2!\"", "DB_PASSWORD=S3cretPass", "export GITHUB_TOKEN={n36}", "api_key: '{l32}'",
            r#"{"client_secret": "{w32}"}"#, "var adafruitToken string = \"{l32}\"", "token: str = '{n24}'",
            r#"System.setProperty("ALGOLIA_TOKEN", "{h32}")"#, "--password S3cret99", "Connect -Password VMware1!", "finnhub SECRET {l24}", "--token={n30}", "<password>tr0ub4dor&3</password>",
            r#"{\"api_key\": \"{l32}\"}"#, "X-Api-Key: {h8}-{h4}-{h4}-{h4}-{h12}", "SNYK_TOKEN ?= {h8}-{h4}-{h4}-{h4}-{h12}",
            "https://host/x?access_token={n32}", r#"if (passwd == "pa$$w0rd&x")"#, "aws_secret_access_key = {n40}",
        ],
        passes: &[
            "password = \"password\"", "password: ${DB_PASSWORD}", "token = get_token()", "api_key = os.environ[\"API_KEY\"]",
            "apiKey: import.meta.env.VITE_KEY", "password: YOUR_PASSWORD", "token: <token>", "secret = xxx", "PASSWORD=changeme",
            "token_type: \"bearer\"", "secretName: my-app-secret-v2", "max_tokens: 4096", "const token = await fetchToken2();",
            "password: string", "let key = 'user_profile_42';", "key_name: prod5zyxlmy-cmk", "primaryKey = 'order_id_2024'",
            "passwordField.setText(user.password1)", "tokens = tokenizer.encode(text)", "auth: AuthService2", "commit 9fceb02d0ae598e95dc970b74767f19372d61af8",
            "password = hash256(input)", "if (token == null)", "self.token = self.tokens[i+1]", "cacheKey = `user:${id}:v2`",
            "Key: ArrowLeft", "{password: \"Password:\", remember: \"Remember me:\"}", "as: 'password' => \"cms/sites/passwords#update\"", "key => value2", "password must have 8 characters", "the token is read from ~/.config/token2",
            "sessionStorage.setItem('theme', 'dark2')", "access_token=ACCESS_TOKEN", "API_VERSION=rc0.13.0_20230412",
        ],
    },
    Rule {
        id: "chinese-assigned-secret", finds: "literal value of a password, token or key", replacement: REDACTED,
        keywords: &["密码", "口令", "密钥", "令牌", "秘钥"],
        pattern: r#"(?:密码|口令|密钥|令牌|秘钥)\s{0,3}(?:是|为|:|=|：)\s{0,3}["'`]?([!-~]{5,256})"#,
        reads: Reads::Judged(is_told_password),
        hits: &["密码：hunter2!", "数据库密码是 S3cretPass", "令牌为{n32}"],
        passes: &["密码：YOUR_PASSWORD", "密码是 <password>", "密码：${DB_PASSWORD}", "密码: password"],
    },
    Rule {
        id: "compared-secret", finds: "literal that a password, token or key is compared with", replacement: REDACTED,
        keywords: &["pass", "pwd", "secret", "token", "key"],
        pattern: r#"(?i)["'`]([^"'`\s]{5,256})["'`]\s{0,3}[!=]==?\s{0,3}[\w.$]{0,40}?(?:pass|pwd|secret|token|key)\w{0,20}"#,
        reads: Reads::Judged(is_compared_secret),
        hits: &[r#"if ("tr0ub4dor&3" == user.password)"#, "if ('{n32}' === apiToken) {"],
        passes: &["if ('password' === field.key)", "if (\"enter2\" == event.key)"],
    },
    Rule {
        id: "attribute-password", finds: "password in an attribute", replacement: REDACTED,
        keywords: &["password", "passwd"],
        pattern: r#"(?i)(?:key|name|id)\s?=\s?["'][\w.:-]*passw(?:or)?d["']\s+value\s?=\s?["']([^"'\s]{3,256})["']"#,
        reads: Reads::Judged(is_attribute_password),
        hits: &[r#"<add key="ClearTextPassword" value="S3cretPass" />"#, r#"<property name="hibernate.connection.password" value="letmein"/>"#],
        passes: &[r#"<add key="ClearTextPassword" value="%PASSWORD%" />"#, r#"<input name="password" value="">"#, r#"<add key="ClearTextPassword" value="XXXXXXXXXXX" />"#],
    },
    Rule {
        id: "netrc", finds: "password in a .netrc file", replacement: REDACTED,
        keywords: &["machine"],
        pattern: r"machine\s+\S+\s+login\s+\S+\s+password\s+(\S{3,256})",
        reads: Reads::Judged(is_attribute_password),
        hits: &["machine api.github.com login ziggy password stardust99", "machine h\n  login l\n  password {n20}\n"],
        passes: &["machine api.github.com login user password <token>"],
    },
    Rule {
        id: "npm-auth", finds: "token of a package registry", replacement: REDACTED,
        keywords: &["_auth", "_password"],
        pattern: r#":_(?:authToken|auth|password)\s?=\s?["']?([^\s"'$]{8,256})"#,
        reads: Reads::Judged(is_attribute_password),
        hits: &["//registry.npmjs.org/:_authToken={h8}-{h4}-{h4}-{h4}-{h12}"],
        passes: &["//registry.npmjs.org/:_authToken=${NPM_TOKEN}", "//registry.npmjs.org/:_authToken=xxxxxxxx"],
    },
];

fn is_told_password(matched: &Matched<'_>) -> bool {
    let value = matched.value();
    !value::is_placeholder(value)
        && !value::is_reference(value)
        && (value::is_password(value) || value::is_random(value))
}

fn is_compared_secret(matched: &Matched<'_>) -> bool {
    let value = matched.value();
    let behind = &matched.text[matched.secret.end..matched.whole.end];
    let name: Vec<u8> = behind.iter().copied().skip_while(|byte| b"\"'`!= \t\n".contains(byte)).collect();
    let told = match name::kind(&name) {
        Some(name::Kind::Password) => value::is_password(value) || value::is_punctuated(value),
        Some(name::Kind::Token) => value::is_random(value) || value::is_punctuated(value),
        Some(name::Kind::Perhaps) => value.len() >= 20 && value::is_random(value) && !value::is_uuid(value),
        None => false,
    };
    told && !value::is_placeholder(value)
}

fn is_attribute_password(matched: &Matched<'_>) -> bool {
    !value::is_placeholder(matched.value())
}
