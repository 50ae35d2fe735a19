//! SVG as PNG, and which signs no font of this machine has.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use resvg::tiny_skia::{Color, Pixmap, Transform};
use resvg::usvg::fontdb::{Database, Family, Query};
use resvg::usvg::{Group, Node, Options, Tree};

use super::PaintError;

/// Families without serifs that machines have, the better ones first.
const FAMILIES: &[&str] = &[
    "Noto Sans",
    "Arial",
    "Helvetica",
    "Helvetica Neue",
    "Liberation Sans",
    "DejaVu Sans",
    "Segoe UI",
    "Noto Sans CJK SC",
];
/// The largest side of a picture in pixels.
const LARGEST: f32 = 8_000.0;
const MOST_NAMED: usize = 20;

/// A picture made of pixels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Png {
    pub bytes: Vec<u8>,
    /// Signs that no font has, in words; they are missing in the picture.
    pub note: Option<String>,
}

pub(super) struct Fonts(Arc<Database>);

impl Fonts {
    pub(super) fn load(folders: &[PathBuf]) -> Self {
        let mut fonts = Database::new();
        fonts.load_system_fonts();
        for folder in folders {
            fonts.load_fonts_dir(folder);
        }
        let has = |fonts: &Database, family: Family<'_>| {
            fonts.query(&Query { families: &[family], ..Query::default() }).is_some()
        };
        if !has(&fonts, Family::SansSerif) {
            let preferred = FAMILIES.iter().find(|name| has(&fonts, Family::Name(name))).map(|name| (*name).to_owned());
            let any = || fonts.faces().find_map(|face| face.families.first().map(|(name, _)| name.clone()));
            if let Some(family) = preferred.or_else(any) {
                fonts.set_sans_serif_family(family);
            }
        }
        Self(Arc::new(fonts))
    }

    pub(super) fn paint(&self, svg: &str, scale: f32) -> Result<Png, PaintError> {
        let failed = |reason: String| PaintError::Painting { reason };
        let options = Options { fontdb: self.0.clone(), font_family: "sans-serif".to_owned(), ..Options::default() };
        let tree = Tree::from_str(svg, &options).map_err(|error| failed(error.to_string()))?;
        let size = tree.size();
        let side = |length: f32| length * scale;
        if !(1.0..=LARGEST).contains(&side(size.width())) || !(1.0..=LARGEST).contains(&side(size.height())) {
            return Err(failed(format!(
                "{}×{} pixels times {scale} is not between 1 and {LARGEST}",
                size.width(),
                size.height()
            )));
        }
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 1 and the largest side")]
        let whole = |length: f32| side(length).round() as u32;
        let mut pixels = Pixmap::new(whole(size.width()), whole(size.height()))
            .ok_or_else(|| failed("no memory for it".to_owned()))?;
        pixels.fill(Color::WHITE);
        resvg::render(&tree, Transform::from_scale(scale, scale), &mut pixels.as_mut());
        let bytes = pixels.encode_png().map_err(|error| failed(error.to_string()))?;
        Ok(Png { bytes, note: note(self.0.is_empty(), &missing(&tree, svg)) })
    }
}

fn note(no_fonts: bool, missing: &BTreeSet<char>) -> Option<String> {
    if missing.is_empty() {
        return None;
    }
    let advice = "install one (such as fonts-noto-cjk on Debian, for Chinese), name its folder with TRAILMARK_FONTS, or ask for SVG, \
                  which the viewer's fonts are used for";
    if no_fonts {
        return Some(format!("This machine has no fonts, so the PNG has no text: {advice}."));
    }
    let named: String = missing.iter().take(MOST_NAMED).collect();
    let more = if missing.len() > MOST_NAMED { "…" } else { "" };
    Some(format!("No font on this machine has the signs {named}{more}, which are missing in the PNG: {advice}."))
}

/// The signs of the texts that were set in no font.
fn missing(tree: &Tree, svg: &str) -> BTreeSet<char> {
    let mut missing = BTreeSet::new();
    look_into(tree.root(), &mut missing);
    // Where not even one sign of a text could be set, the whole text is gone.
    let mut kept = BTreeSet::new();
    texts_of(tree.root(), &mut kept);
    let mut written = BTreeSet::new();
    if let Ok(document) = resvg::usvg::roxmltree::Document::parse(svg) {
        let texts = document.descendants().filter(|node| node.has_tag_name(("http://www.w3.org/2000/svg", "text")));
        written.extend(texts.flat_map(|text| text.descendants()).filter_map(|node| node.text()).flat_map(str::chars));
    }
    missing.extend(written.difference(&kept).copied());
    missing.retain(|sign| !sign.is_whitespace() && !sign.is_control() && *sign != '\u{2060}');
    missing
}

fn look_into(group: &Group, missing: &mut BTreeSet<char>) {
    for node in group.children() {
        match node {
            Node::Group(group) => look_into(group, missing),
            Node::Text(text) => {
                let glyphs = text.layouted().iter().flat_map(|span| &span.positioned_glyphs);
                missing.extend(glyphs.filter(|glyph| glyph.id.0 == 0).flat_map(|glyph| glyph.text.chars()));
            }
            Node::Path(_) | Node::Image(_) => {}
        }
    }
}

fn texts_of(group: &Group, kept: &mut BTreeSet<char>) {
    for node in group.children() {
        match node {
            Node::Group(group) => texts_of(group, kept),
            Node::Text(text) => {
                kept.extend(
                    text.layouted()
                        .iter()
                        .flat_map(|span| &span.positioned_glyphs)
                        .flat_map(|glyph| glyph.text.chars()),
                );
            }
            Node::Path(_) | Node::Image(_) => {}
        }
    }
}
