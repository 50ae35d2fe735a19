//! Addresses of pages: which may be shown, and when two of them are the same page.

use reqwest::Url;

/// Parameters that say where a reader came from and nothing about the page. Those that end in `_` are beginnings.
const TRACKING: &[&str] = &[
    "utm_",
    "mtm_",
    "pk_",
    "piwik_",
    "matomo_",
    "hsa_",
    "oly_",
    "vero_",
    "__hssc",
    "__hstc",
    "__hsfp",
    "_hsenc",
    "_hsmi",
    "mc_cid",
    "mc_eid",
    "fbclid",
    "gclid",
    "gclsrc",
    "dclid",
    "gbraid",
    "wbraid",
    "gad_source",
    "gad_campaignid",
    "msclkid",
    "yclid",
    "ysclid",
    "twclid",
    "ttclid",
    "li_fat_id",
    "igshid",
    "igsh",
    "srsltid",
    "wickedid",
    "_openstat",
    "mkt_tok",
    "ref_src",
    "ref_url",
    "spm",
    "scm",
    "_ga",
    "_gl",
];
/// A longer one is of no use to anybody.
const LONGEST: usize = 2_000;

/// A page's address as it is shown, and the key that all its spellings share.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PageAddress {
    pub(crate) shown: String,
    pub(crate) key: String,
}

impl PageAddress {
    /// `None` for what is no address of a web page.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let mut url = Url::parse(text.trim()).ok()?;
        if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none_or(str::is_empty) {
            return None;
        }
        // A name before the host only serves to make one host look like another.
        url.set_username("").ok()?;
        url.set_password(None).ok()?;
        without_tracking(&mut url);
        (url.as_str().len() <= LONGEST).then(|| Self { key: key(&url), shown: url.into() })
    }
}

fn without_tracking(url: &mut Url) {
    let Some(query) = url.query() else { return };
    let kept: Vec<&str> = query.split('&').filter(|pair| !pair.is_empty() && !is_tracking(pair)).collect();
    let kept = kept.join("&");
    url.set_query((!kept.is_empty()).then_some(&kept));
}

fn is_tracking(pair: &str) -> bool {
    let name = pair.split('=').next().unwrap_or_default().to_ascii_lowercase();
    TRACKING.iter().any(|known| if known.ends_with('_') { name.starts_with(known) } else { name == *known })
}

/// Host, port, path, sorted parameters and, where a page is chosen by it, the fragment.
fn key(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default().trim_end_matches('.');
    let host = host.strip_prefix("www.").filter(|rest| rest.contains('.')).unwrap_or(host);
    // The scheme is left out, and with it the ports that both of them mean.
    let port = url.port().filter(|port| !matches!(port, 80 | 443)).map(|port| format!(":{port}")).unwrap_or_default();
    let path = unescaped(url.path());
    let mut pairs: Vec<String> = url.query().unwrap_or_default().split('&').map(unescaped).collect();
    pairs.sort();
    let fragment = url.fragment().filter(|fragment| fragment.starts_with(['!', '/'])).unwrap_or_default();
    format!("{host}{port}{}?{}#{fragment}", path.trim_end_matches('/'), pairs.join("&"))
}

/// With what needs no escape written as it is, and the other escapes in one form.
fn unescaped(text: &str) -> String {
    let mut unescaped = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('%') {
        unescaped.push_str(&rest[..at]);
        let code = rest.get(at + 1..at + 3).and_then(|digits| u8::from_str_radix(digits, 16).ok());
        match code.map(char::from) {
            Some(character) if character.is_ascii_alphanumeric() || "-._~".contains(character) => {
                unescaped.push(character);
            }
            Some(_) => unescaped.push_str(&rest[at..at + 3].to_ascii_uppercase()),
            None => {
                unescaped.push('%');
                rest = &rest[at + 1..];
                continue;
            }
        }
        rest = &rest[at + 3..];
    }
    unescaped + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key_of(text: &str) -> String {
        PageAddress::read(text).unwrap_or_else(|| panic!("{text}")).key
    }

    fn shown(text: &str) -> Option<String> {
        PageAddress::read(text).map(|address| address.shown)
    }

    #[test]
    fn spellings_of_one_page_have_one_key() {
        let page = key_of("https://example.com/a/b?x=1&y=2");
        for spelling in [
            "http://example.com/a/b?x=1&y=2",
            "https://www.example.com/a/b?x=1&y=2",
            "https://EXAMPLE.com:443/a/b/?y=2&x=1",
            "http://example.com:80/a/b?x=1&y=2#chapter-3",
            "https://example.com./a/./c/../b?x=1&&y=2&",
            "https://example.com/%61/b?utm_source=feed&x=1&y=2&UTM_Medium=z&fbclid=abc&gclid=1",
            "https://somebody@example.com/a/b?x=1&y=2",
        ] {
            assert_eq!(key_of(spelling), page, "{spelling}");
        }
        assert_eq!(key_of("https://example.com"), key_of("http://www.example.com/"));
        assert_eq!(key_of("https://b\u{fc}cher.example/%e4"), key_of("https://xn--bcher-kva.example/%E4"));
    }

    #[test]
    fn different_pages_have_different_keys() {
        let pages = [
            "https://example.com/a",
            "https://example.com/A",
            "https://example.com/a?x=1",
            "https://example.com/a?x=2",
            "https://example.com:8080/a",
            "https://docs.example.com/a",
            "https://example.com/#!/a",
            "https://example.com/#/b",
            "https://example.com/a%2Fb",
            "https://example.com/a/b",
            "https://example.com/?utm=1",
            "https://www.com/a",
        ];
        for (index, page) in pages.iter().enumerate() {
            for other in &pages[index + 1..] {
                assert_ne!(key_of(page), key_of(other), "{page} {other}");
            }
        }
    }

    #[test]
    fn what_is_shown_leads_to_the_page_and_tells_on_nobody() {
        assert_eq!(
            shown(" https://Example.com/a?q=%20b&utm_source=x#top ").as_deref(),
            Some("https://example.com/a?q=%20b#top")
        );
        assert_eq!(shown("https://bank.example@evil.example/").as_deref(), Some("https://evil.example/"));
        assert_eq!(shown("https://example.com/?utm_source=x").as_deref(), Some("https://example.com/"));
        for no_page in [
            "",
            "magnet:?xt=1",
            "javascript:alert(1)",
            "ftp://example.com/",
            "data:text/html,x",
            "/relative",
            "http://",
        ] {
            assert_eq!(shown(no_page), None, "{no_page}");
        }
        assert_eq!(shown(&format!("https://example.com/{}", "x".repeat(LONGEST))), None);
    }
}
