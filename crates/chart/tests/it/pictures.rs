//! Pictures: every option is drawn whole, looks as it looked before, and keeps what it says as text.

use std::sync::OnceLock;

use chart::{Chart, KINDS, Limits, PaintError, Painter, Picture, Size};

use crate::cases::cases;

/// One for all tests: loading ECharts is what takes time.
fn painter() -> &'static Painter {
    static PAINTER: OnceLock<Painter> = OnceLock::new();
    PAINTER.get_or_init(|| {
        let patient = Limits { time: std::time::Duration::from_secs(120), ..Limits::default() };
        Painter::new(patient, std::env::var_os("TRAILMARK_TEST_FONTS").into_iter().map(Into::into).collect())
    })
}

/// Whether pictures can be looked at. Where they must be, it is an error that they cannot.
pub(crate) fn can_draw() -> bool {
    let drawn = chart::is_embedded();
    assert!(drawn || std::env::var_os("CI").is_none(), "ECharts is not here: run `cargo xtask web` and build again");
    drawn
}

fn draw(chart: &Chart) -> Result<Picture, PaintError> {
    painter().draw(chart, Size::default(), || false)
}

#[test]
fn every_option_of_the_suite_is_drawn_whole() {
    if !can_draw() {
        return;
    }
    for case in KINDS.iter().flat_map(|kind| cases(kind.name)) {
        let chart = case.generate().unwrap();
        let picture = draw(&chart).unwrap_or_else(|error| panic!("{}: {error}", case.name));
        painter().check(&chart, || false).unwrap_or_else(|error| panic!("{} without a picture: {error}", case.name));
        // What ECharts leaves out of a long line is known by the option.
        if chart.option["series"][0].get("sampling").is_none() {
            assert_eq!(Some(picture.marks), case.marks, "{}", case.name);
        }
        keep(&case.name, &picture);
    }
}

/// For people who want to look: `TRAILMARK_TEST_PICTURES` names a folder.
fn keep(name: &str, picture: &Picture) {
    let Some(folder) = std::env::var_os("TRAILMARK_TEST_PICTURES").map(std::path::PathBuf::from) else { return };
    let png = painter().png(picture, 1.0).unwrap();
    let name: String = name.chars().map(|c| if c.is_alphanumeric() { c } else { '-' }).collect();
    std::fs::write(folder.join(format!("{name}.svg")), &picture.svg).unwrap();
    std::fs::write(folder.join(format!("{name}.png")), png.bytes).unwrap();
}

#[test]
fn the_first_picture_of_each_kind_has_not_changed() {
    if !can_draw() {
        return;
    }
    for kind in KINDS {
        let case = &cases(kind.name)[0];
        let picture = draw(&case.generate().unwrap()).unwrap();
        insta::assert_snapshot!(format!("first_{}", kind.name), structure(&picture.svg));
    }
}

/// What is in a picture, without the numbers: elements with their colours, marks with their places in the data, texts.
fn structure(svg: &str) -> String {
    let document = resvg_xml(svg);
    let mut lines = Vec::new();
    for node in document.descendants().filter(resvg::usvg::roxmltree::Node::is_element) {
        let shown = ["fill", "stroke", "ecmeta_series_index", "ecmeta_data_index", "ecmeta_data_type"];
        let attributes = shown.iter().filter_map(|name| Some(format!(" {name}={}", node.attribute(*name)?)));
        let text = node.text().map(str::trim).filter(|text| !text.is_empty() && node.tag_name().name() == "text");
        let text = text.map(|text| format!(" {text:?}")).unwrap_or_default();
        lines.push(format!("{}{}{text}", node.tag_name().name(), attributes.collect::<String>()));
    }
    lines.join("\n")
}

fn resvg_xml(svg: &str) -> resvg::usvg::roxmltree::Document<'_> {
    resvg::usvg::roxmltree::Document::parse(svg).unwrap()
}

#[test]
fn markup_in_labels_stays_text() {
    if !can_draw() {
        return;
    }
    for case in KINDS.iter().flat_map(|kind| cases(kind.name)).filter(|case| case.name.contains("markup")) {
        let picture = draw(&case.generate().unwrap()).unwrap();
        let document = resvg_xml(&picture.svg);
        assert!(document.descendants().all(|node| !["script", "img", "b"].contains(&node.tag_name().name())));
        assert!(picture.svg.contains("&lt;script&gt;"), "{}", case.name);
    }
}

#[test]
fn a_page_holds_no_markup_of_the_data() {
    if !can_draw() {
        return;
    }
    let case = cases("bar").into_iter().find(|case| case.name.contains("markup")).unwrap();
    let page = chart::page(&case.generate().unwrap(), Some("</title><script>alert(9)</script>")).unwrap();
    assert!(!page.contains("<script>alert"), "the data became markup");
    assert!(page.contains("<title>&lt;/title&gt;&lt;script&gt;alert(9)&lt;/script&gt;</title>"));
    assert_eq!(page.matches("</script>").count(), 2);
}

#[test]
fn a_png_says_which_signs_no_font_has() {
    if !can_draw() {
        return;
    }
    let case = cases("bar").into_iter().find(|case| case.name.contains("Chinese")).unwrap();
    let picture = draw(&case.generate().unwrap()).unwrap();
    assert!(picture.svg.contains("各城市季度销售额对比"));
    // No font has a sign from the middle of the private range.
    let strange = Picture { svg: picture.svg.replace("北京", "\u{f5123}"), marks: picture.marks };
    let png = painter().png(&strange, 1.0).unwrap();
    assert!(png.bytes.starts_with(b"\x89PNG"));
    assert!(png.note.is_some_and(|note| note.contains("TRAILMARK_FONTS")));
}

/// `cargo xtask test` brings a font; where it has, every Chinese sign is in the picture.
#[test]
fn chinese_labels_are_painted_where_a_font_has_them() {
    if !can_draw() {
        return;
    }
    if std::env::var_os("TRAILMARK_TEST_FONTS").is_none() {
        assert!(std::env::var_os("CI").is_none() || !cfg!(feature = "node-tests"), "no font for Chinese was installed");
        return;
    }
    for case in KINDS.iter().flat_map(|kind| cases(kind.name)).filter(|case| case.name.contains("Chinese")) {
        let picture = draw(&case.generate().unwrap()).unwrap();
        assert_eq!(painter().png(&picture, 1.0).unwrap().note, None, "{}", case.name);
    }
}
