//! Is a text made of words, and which?

/// The lower-cased words of an identifier or a value: cut at what is no letter or digit, and where lower case turns to upper.
pub(super) fn words(text: &[u8]) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    for (index, &byte) in text.iter().enumerate() {
        let before = index.checked_sub(1).map(|index| text[index]);
        let next_is_lower = text.get(index + 1).is_some_and(u8::is_ascii_lowercase);
        let rises = byte.is_ascii_uppercase()
            && before.is_some_and(|before| before.is_ascii_lowercase() || before.is_ascii_digit() || next_is_lower);
        if (rises || !byte.is_ascii_alphanumeric()) && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        if byte.is_ascii_alphanumeric() {
            word.push(char::from(byte.to_ascii_lowercase()));
        }
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

/// What part of the neighbouring letters are neighbours in ordinary words too, and how many neighbours there are.
pub(super) fn wordiness(text: &[u8]) -> (f64, usize) {
    let (mut common, mut all) = (0_usize, 0_usize);
    for pair in text.windows(2) {
        if pair.iter().all(u8::is_ascii_alphabetic) {
            all += 1;
            common += usize::from(is_common([pair[0].to_ascii_lowercase(), pair[1].to_ascii_lowercase()]));
        }
    }
    if all == 0 { (0.0, 0) } else { (common as f64 / all as f64, all) }
}

fn is_common(pair: [u8; 2]) -> bool {
    FOLLOWERS[usize::from(pair[0] - b'a')] & (1 << (pair[1] - b'a')) != 0
}

/// For each letter a bit for every letter that often follows it.
const FOLLOWERS: [u32; 26] = {
    let (pairs, mut followers, mut index) = (COMMON_PAIRS.as_bytes(), [0; 26], 0);
    while index + 1 < pairs.len() {
        followers[(pairs[index] - b'a') as usize] |= 1 << (pairs[index + 1] - b'a');
        index += 3;
    }
    followers
};

/// About one pair of letters in six; three in four of the pairs in English words and in identifiers are among them.
const COMMON_PAIRS: &str = "th he in er an re on at en nd ti es or te of ed is it al ar st to nt ng se ha as ou io le ve co me \
de hi ri ro ic ne ea ra ce li ch ll be ma si om ur ca el ta la ns di fo ho pe ec pr no ct us ac ot il tr ly nc et ut ss so rs un lo \
ge ie ee em ad ol rt po na ul ni ts mo ow pa im mi ai sh ir su id os iv ia am fi ci pl ig tu ld mp fe ab ty op sa ex ke od do ap ag \
ss bo ue da if rd gr up ck sc ";
