//! Which words say nothing about the code that is meant?

use std::sync::LazyLock;

use rustc_hash::FxHashSet;

/// English words without a subject.
const STOP_WORDS: &str = "
a about all also am an and any are as at be because been being both but by can could did do does doing done each for from had has have
having he her here him his how i if in into is it its just me more most my no nor not of off on once only or our out over own same she
should so some such than that the their them then there these they this those through to too until up us very was we were what when
where which while who whom why will with would you your
";

/// What issues are made of, whatever they are about.
const ISSUE_WORDS: &str = "
able above actual actually add added adds after again against allow allowed allows already although always another anyone anything around
away back became become becomes before behavior behaviour behind below besides best better between beyond bit bug call called calls case
cases cause caused causes certain change changed changes checklist clearly code come comes complete conda consider considering context
correct correctly couldn create created current currently describe described description despite detail details didn different doesn don
down during either else enough environment especially etc even ever every everyone everything exactly example examples except expected
few file files find first fix fixed fixes follow following follows found full further get gets give given gives goes going gone got hadn
happen happened happening happens hasn haven hello help hi hope however idea incorrect incorrectly info information install installed
instead isn issue keep kept kind know known last later latest least less let lets like likely line lines linux little long look looking
looks lot macos made make makes many may maybe mean means might minimal much must near nearly need needs never new next nice non none
nothing now often ok okay old one os other output per perhaps pip place platform please possible possibly probably problem problems
proper properly provide provided provides put python quite ran rather really reason recently regarding related release released relevant
report reported reproduce reproduced reproduction result results return returned returns right run running runs said sample say says
screenshot second see seem seemed seems seen several shall shouldn show shown shows similar simple simply since snippet something
sometimes somewhere soon step steps still support supported supports sure system take taken takes tell thank thanks thing things think
thought three together took toward tried tries try trying turn turns two ubuntu under understand unfortunately unless upon usage use
used useful using usually various version versions via want wasn way ways well went weren whatever whether whole whose windows within
without won work worked working works wouldn wrong yes yet
";

/// Words of languages that stand in nearly every piece of code.
const CODE_WORDS: &str = "
def class import from return self this function var let const new if else elif for while in is not and or none null true false try except
catch finally raise throw throws with as pass break continue lambda yield async await public private protected static void int string str
print println echo console log assert end begin do then fi fn pub mut use mod impl struct enum type interface package func go defer nil
namespace using include ifdef endif define require module exports export default extends implements super foo bar baz qux main test
";

/// Words of a list, looked up once for each word of a text.
type Words = LazyLock<FxHashSet<&'static str>>;

static STOP: Words = LazyLock::new(|| STOP_WORDS.split_ascii_whitespace().collect());
static ISSUE: Words = LazyLock::new(|| ISSUE_WORDS.split_ascii_whitespace().collect());
static CODE: Words = LazyLock::new(|| CODE_WORDS.split_ascii_whitespace().collect());

pub(crate) fn is_stop_word(word: &str) -> bool {
    STOP.contains(word)
}

pub(crate) fn is_issue_word(word: &str) -> bool {
    ISSUE.contains(word)
}

pub(crate) fn is_code_word(word: &str) -> bool {
    CODE.contains(word)
}
