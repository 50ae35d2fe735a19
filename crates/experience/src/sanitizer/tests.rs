//! The rules on their own examples, and the promises on texts that nobody would write.

use proptest::prelude::*;

use super::examples::expand;
use super::*;

fn rules_found(text: &str) -> Vec<&'static str> {
    check(text).iter().map(|finding| finding.rule).collect()
}

#[test]
fn every_rule_finds_its_examples_and_none_finds_what_must_pass() {
    let mut wrong = Vec::new();
    for rule in rules() {
        for example in rule.hits {
            let text = expand(example);
            let found = scan::spans_of(rule, &text);
            if found.is_empty() {
                wrong.push(format!("{} misses {text:?}", rule.id));
            }
            let clean = sanitise(&text);
            if !check(&clean).is_empty() || clean == text {
                wrong.push(format!("{} leaves {clean:?}", rule.id));
            }
        }
        for example in rule.passes {
            let text = expand(example);
            let found = rules_found(&text);
            if !found.is_empty() {
                wrong.push(format!("{found:?} find {text:?}"));
            }
        }
        assert!(check(rule.replacement).is_empty(), "{}", rule.replacement);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_finding_has_its_place_and_a_preview_that_does_not_tell_it() {
    let token = expand("ghp_{n36}");
    let text = format!("第一行\n令 x = \"{token}\"; // and jane.doe@gmail.com\n");
    let found = check(&text);
    assert_eq!(found.len(), 2);
    assert_eq!((found[0].rule, found[0].line, found[0].column), ("github-token", 2, 8));
    assert_eq!(&text[found[0].range.clone()], token);
    assert_eq!(found[0].preview, "令 x = \"***\"; // and ***");
    assert_eq!((found[1].rule, found[1].line, found[1].column), ("email-address", 2, 58));
    assert_eq!(sanitise(&text), "第一行\n令 x = \"<redacted>\"; // and user@example.com\n");
}

#[test]
fn a_token_is_found_whatever_nobody_sees_inside_it() {
    let token = expand("ghp_{n36}");
    for unseen in ["\u{200b}", "\u{202e}", "\u{0}", "\u{feff}", "\u{ad}", "\u{2060}"] {
        let (first, second) = token.split_at(12);
        let text = format!("a {first}{unseen}{second} b");
        assert_eq!(rules_found(&text), ["github-token"], "{unseen:?}");
        assert_eq!(sanitise(&text), "a <redacted> b", "{unseen:?}");
        assert_eq!(check(&text)[0].preview, "a *** b", "{unseen:?}");
    }
    let wide: String = token.chars().map(|c| char::from_u32(u32::from(c) + 0xFEE0).unwrap()).collect();
    assert_eq!(sanitise(&format!("a {wide} b")), "a <redacted> b");
}

#[test]
fn a_value_is_hidden_to_its_very_end() {
    let text = format!("token = \"{}\" end", expand("{n3000}"));
    assert_eq!(sanitise(&text), "token = \"<redacted>\" end");
}

/// Texts that make careless rules look at everything again and again.
#[test]
fn hostile_texts_are_answered() {
    let long = |part: &str| part.repeat(100_000 / part.len());
    for text in [
        long("token:"),
        long("password='"),
        long("key=key "),
        long("ey"),
        long("a@"),
        long("curl -u "),
        long("-----BEGIN PRIVATE KEY-----"),
        long("1.2.3."),
        long("kind: Secret\ndata:\n"),
        long(" data:\n a: b\n"),
        long("http://a:"),
        long("/home/"),
        long("\u{202e}\u{0}x"),
        long("token=\"a1b2c3d4e5f6g7h8\" "),
        expand("token = {n100000}"),
    ] {
        let found = check(&text);
        assert!(found.iter().all(|finding| finding.preview.len() < 400));
    }
}

fn piece() -> impl Strategy<Value = String> {
    let examples: Vec<String> =
        rules().flat_map(|rule| rule.hits.iter().chain(rule.passes)).map(|e| expand(e)).collect();
    prop_oneof![
        4 => proptest::sample::select(examples),
        1 => "\\PC{0,12}",
        1 => proptest::sample::select(vec![" ", "\n", "\"", "'", "=", ":", "@", ".", "\u{200b}", "<redacted>", "密码", "token", "://"])
            .prop_map(str::to_owned),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn a_sanitised_text_passes_and_findings_do_not_overlap(pieces in prop::collection::vec(piece(), 0..8)) {
        let text = pieces.concat();
        let found = check(&text);
        prop_assert!(found.windows(2).all(|pair| pair[0].range.end <= pair[1].range.start));
        prop_assert!(found.iter().all(|finding| text.get(finding.range.clone()).is_some()));
        let clean = sanitise(&text);
        prop_assert_eq!(check(&clean), Vec::new());
        if found.is_empty() {
            prop_assert_eq!(clean, text);
        }
    }
}
