//! Which credentials have a shape of their own: keys in blocks, tokens in headers, passwords in addresses?

use super::super::rule::{Matched, REDACTED, Reads, Rule};
use super::super::value;

#[rustfmt::skip]
pub(super) const RULES: &[Rule] = &[
    Rule {
        id: "private-key", finds: "private key", replacement: REDACTED,
        keywords: &["private key"],
        pattern: r#"-----BEGIN[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:[\w\s+/=:,.\\()"'+;]|-[^-]){16,}(?:-----END[A-Z0-9 ]{0,40}-----)?"#,
        reads: Reads::Judged(is_key_block),
        hits: &[
            "-----BEGIN RSA PRIVATE KEY-----\n{n64}\n{n64}\n-----END RSA PRIVATE KEY-----",
            r"key = '-----BEGIN PRIVATE KEY-----\n{n64}\n-----END PRIVATE KEY-----\n'",
            "-----BEGIN OPENSSH PRIVATE KEY-----\n{n70}\n{n70}",
            "-----BEGIN EC PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\n{n64}\n-----END EC PRIVATE KEY-----",
        ],
        passes: &[
            "The file begins with -----BEGIN RSA PRIVATE KEY-----, not with a blank line.",
            "-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----",
            "-----BEGIN PUBLIC KEY-----\n{n64}\n-----END PUBLIC KEY-----",
        ],
    },
    Rule {
        id: "putty-key", finds: "private key of PuTTY", replacement: REDACTED,
        keywords: &["private-lines"],
        pattern: r"Private-Lines: \d{1,3}\s+((?:[A-Za-z0-9+/=]{20,64}\s+)+)",
        reads: Reads::Judged(any),
        hits: &["PuTTY-User-Key-File-2: ssh-rsa\nPrivate-Lines: 2\n{n64}\n{n64}\n"],
        passes: &["Private-Lines: 14"],
    },
    Rule {
        id: "json-web-token", finds: "JSON web token", replacement: REDACTED,
        keywords: &["ey", "zxlk"],
        pattern: r"ey[A-Za-z0-9_-]{16,}\.ey[A-Za-z0-9_/\\-]{16,}\.[A-Za-z0-9_/\\-]*={0,2}|ZXlK[A-Za-z0-9+/]{100,}={0,2}",
        reads: Reads::Token,
        hits: &["eyJ{n33}.eyJ{n60}.{w43}", r#"{"token": "eyJ{n33}.eyJ{n60}.{w43}"}"#],
        passes: &["eyJhbGciOi...", "key.keyboard.keypress"],
    },
    Rule {
        id: "url-password", finds: "password in an address", replacement: REDACTED,
        keywords: &["://"],
        pattern: r#"[A-Za-z][A-Za-z0-9+.-]{1,30}://[^\s/:@"'<>`]{0,128}:([^\s/"'<>`@]{3,256})@[\w\[$<{%.-]"#,
        reads: Reads::Judged(is_url_password),
        hits: &[
            "postgres://app:{n12}@db.internal:5432/app",
            "https://alice:hunter2@example.com/x",
            "redis://:{n16}@cache:6379/0",
            "mongodb+srv://svc:{w12}@cluster0.abcde.mongodb.net/?retryWrites=true",
            "http://cafeb4b3:d3adb33f@enterprise.contribsys.com",
        ],
        passes: &[
            "postgres://user:password@localhost:5432/app", "postgres://postgres:postgres@db/app",
            "https://${USER}:${PASSWORD}@host/x", "amqp://guest:guest@localhost", "redis://:<password>@cache:6379",
            "https://url:8000 @something else", "http://localhost:8080/a@b", "mysql://root:***@db/x",
            "jdbc:mysql://host:3306/db?user=x", "ws://host:8080/path:1/@scope/name",
        ],
    },
    Rule {
        id: "sentry-dsn", finds: "Sentry address with a key", replacement: REDACTED,
        keywords: &["sentry"],
        pattern: r"https?://([a-f0-9]{32})@[\w.-]*sentry",
        reads: Reads::Token,
        hits: &["https://{h32}@o123.ingest.sentry.io/456"],
        passes: &["https://<key>@sentry.io/1"],
    },
    Rule {
        id: "connection-string", finds: "password in a connection string", replacement: REDACTED,
        keywords: &["password=", "pwd=", "password ="],
        pattern: r#"(?i)(?:server|data source|host|address|database|initial catalog|user id|username|user|uid)\s?=[^\n]{1,200}?;\s?(?:password|pwd)\s?=\s?([^;"'\s]{3,256})"#,
        reads: Reads::Judged(is_no_placeholder),
        hits: &["Server=db;Database=app;User Id=sa;Password={n12};", "Driver={SQL Server};Server=x;Uid=a;Pwd=letmein;"],
        passes: &["Server=db;Database=app;User Id=sa;Password=<password>;", "Server=x;Uid=a;Pwd=${DB_PWD};"],
    },
    Rule {
        id: "authorization-header", finds: "credentials in a header", replacement: REDACTED,
        keywords: &["authorization", "auth"],
        pattern: r#"(?i)auth(?:orization)?["'\]]{0,2}\s{0,3}[:=,]\s{0,3}(?:[a-z]{0,2}["'`])?(?:basic|bearer|token|digest|bot|apikey|api-key|key|negotiate|splunk|ssws|oauth)[ =:]\s{0,2}["']?([A-Za-z0-9+/._~=:|-]{8,})"#,
        reads: Reads::Judged(is_header_token),
        hits: &[
            "Authorization: Bearer {w40}", "curl -H 'Authorization: Basic {n32}==' https://api",
            r#"headers = {"Authorization": "token {h40}"}"#,
        ],
        passes: &[
            "Authorization: Bearer <token>", "Authorization: Basic ...", "Authorization: Bearer YOUR_TOKEN",
            r#"-H "Authorization: Bearer $(gcloud auth print-access-token)""#, "Authorization: Bearer ${TOKEN}",
            "Authorization: Bearer authentication is required", r#""Authorization": "Bearer " + accessToken"#,
        ],
    },
    Rule {
        id: "bearer-token", finds: "bearer token", replacement: REDACTED,
        keywords: &["bearer"],
        pattern: r#"(?i)\bbearer\s{1,2}["']?([A-Za-z0-9+/._~=-]{16,})"#,
        reads: Reads::Judged(is_header_token),
        hits: &["send it as `Bearer {w40}`"],
        passes: &["Bearer authentication", "bearer token_from_environment", "a Bearer accessTokenFromTheServer"],
    },
    Rule {
        id: "curl-user", finds: "password on a command line", replacement: REDACTED,
        keywords: &["curl", "wget"],
        pattern: r#"\b(?:curl|wget)\b[^\n]{0,400}?\s(?:-u|--user|--proxy-user|-U)[ =]?["'{]{0,2}[^\s:"'$<]{1,128}["'}]{0,2}:["'{]{0,2}([^\s"'$<}]{3,256})"#,
        reads: Reads::Judged(is_no_placeholder),
        hits: &["curl -u alice:{n10} https://host/", "curl --user 'svc:hunter2' https://host"],
        passes: &[
            "curl -u 'test:test' https://host", "curl -u username:token", "curl -u alice https://host:8080/",
            r#"curl --user "$USER:$PASSWORD" https://host"#, "curl -u user:<password> https://host",
        ],
    },
    Rule {
        id: "command-password", finds: "password on a command line", replacement: REDACTED,
        keywords: &["mysql", "sshpass", "redis-cli", "docker login", "mongo", "psql", "smbclient", "ldap"],
        pattern: r#"\b(?:mysql\w*|sshpass|redis-cli|docker login|mongo\w*|ldap\w+)\b[^\n|]{0,200}?\s(?:-p|-a|-w)\s?["']?([^\s"'$<>|;&-][^\s"'$<>|;&]{4,128})"#,
        reads: Reads::Judged(is_command_password),
        hits: &["mysql -u root -pS3cretPass db", "sshpass -p 'tr0ub4dor&3' ssh host", "redis-cli -a {n16} ping"],
        passes: &["mysql -u root -p db", "docker login -p $TOKEN", "mysqldump -p database", "mongod -p 27017"],
    },
    Rule {
        id: "kubernetes-secret", finds: "value in a Kubernetes secret", replacement: REDACTED,
        keywords: &["secret"],
        pattern: r#"(?i)kind:[ \t]*["']?secret["']?[ \t]*\n(?s:.{0,600}?)^[ \t]*data:[ \t]*\n(?:[ \t]*#[^\n]*\n|[ \t]+[\w.-]+:[ \t]*[^\n]{0,200}\n){0,20}?[ \t]+[\w.-]+:[ \t]+(?:[|>]-?[ \t]*\n[ \t]+)?["']?([A-Za-z0-9+/]{8,}={0,3}["']?(?:\n[ \t]+[^\n]+)*)"#,
        reads: Reads::Judged(is_in_one_document),
        hits: &["apiVersion: v1\nkind: Secret\nmetadata:\n  name: db\ndata:\n  password: UyFCXCpkJHpEc2I9\n"],
        passes: &[
            "kind: Secret\nmetadata:\n  name: x\ndata:\n  htpasswd: {{ htpasswd }}\n",
            "kind: Secret\nmetadata:\n  name: x\n---\nkind: ConfigMap\ndata:\n  colour: Ymx1ZWJsdWU=\n",
            "kind: SopsSecret\ndata:\n  name: ZGF0YS12YWx1ZTE=\n",
        ],
    },
    Rule {
        id: "kubernetes-secret", finds: "value in a Kubernetes secret", replacement: REDACTED,
        keywords: &["secret"],
        pattern: r#"(?i)^[ \t]*data:[ \t]*\n(?:[ \t]*#[^\n]*\n|[ \t]+[\w.-]+:[ \t]*[^\n]{0,200}\n){0,20}?[ \t]+[\w.-]+:[ \t]+(?:[|>]-?[ \t]*\n[ \t]+)?["']?([A-Za-z0-9+/]{8,}={0,3}["']?(?:\n[ \t]+[^\n]+)*)[ \t]*\n(?s:.{0,600}?)kind:[ \t]*["']?secret["']?[ \t]*(?:\n|\z)"#,
        reads: Reads::Judged(is_in_one_document),
        hits: &["apiVersion: v1\ndata:\n  password: UyFCXCpkJHpEc2I9\nkind: Secret\n"],
        passes: &["data:\n  colour: Ymx1ZWJsdWU=\n---\nkind: Secret\n"],
    },
];

fn any(_: &Matched<'_>) -> bool {
    true
}

/// The block has key material, not only dots between its marks.
fn is_key_block(matched: &Matched<'_>) -> bool {
    let block = matched.value();
    let marked = block.windows(8).any(|window| window == b"-----END");
    let longest = block.split(|byte| !byte.is_ascii_alphanumeric() && !b"+/=".contains(byte)).map(<[u8]>::len).max();
    let body = block.split(|byte| *byte == b'-').map(<[u8]>::len).max().unwrap_or(0);
    let dots = block.windows(3).any(|window| window == b"...");
    longest.unwrap_or(0) >= 30 || (marked && body >= 24 && !dots)
}

fn is_no_placeholder(matched: &Matched<'_>) -> bool {
    !value::is_placeholder(matched.value())
}

fn is_url_password(matched: &Matched<'_>) -> bool {
    let value = matched.value();
    let port = value.len() <= 5 && value.iter().all(u8::is_ascii_digit);
    let user = &matched.text[matched.whole.start..matched.secret.start - 1];
    !port && !user.ends_with(value) && !value::is_placeholder(value)
}

/// Basic credentials, or what a machine made.
fn is_header_token(matched: &Matched<'_>) -> bool {
    let value = matched.value();
    let next_calls = matches!(matched.byte_after(), Some(b'(' | b'[' | b'$' | b'{'));
    !next_calls && !value::is_placeholder(value) && value::is_random(value) && !value::is_reference(value)
}

fn is_command_password(matched: &Matched<'_>) -> bool {
    let value = matched.value();
    value::is_password(value) && !value::is_placeholder(value) && !value::is_reference(value)
}

/// Document marks part what is not one secret.
fn is_in_one_document(matched: &Matched<'_>) -> bool {
    let whole = &matched.text[matched.whole.clone()];
    let value = matched.value();
    !whole.windows(4).any(|window| window == b"\n---") && !value::is_placeholder(value)
}
