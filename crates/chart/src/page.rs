//! A chart as a page of its own, which needs no network to be looked at.

use crate::chart::Chart;
use crate::painter::{PaintError, script};

/// A page that holds ECharts and the option. What the data says stays text.
pub fn page(chart: &Chart, title: Option<&str>) -> Result<String, PaintError> {
    let script = script()?.replace("</script", "<\\/script");
    let title = title.map(str::trim).filter(|title| !title.is_empty()).unwrap_or("Chart");
    let option = in_script(&chart.option.to_string());
    Ok(format!(
        "<!doctype html>\n<html>\n<head>\n<meta charset=\"utf-8\">\n<title>{}</title>\n<style>html, body, #chart \
         {{ height: 100%; margin: 0 }}</style>\n</head>\n<body>\n<div id=\"chart\"></div>\n<script>{script}</script>\n<script>\n\
         const chart = echarts.init(document.getElementById(\"chart\"));\nchart.setOption({option});\n\
         addEventListener(\"resize\", () => chart.resize());\n</script>\n</body>\n</html>\n",
        in_text(title)
    ))
}

/// JSON in which nothing ends the script that it stands in.
fn in_script(json: &str) -> String {
    json.replace('<', "\\u003c").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}

fn in_text(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_the_data_becomes_markup() {
        assert_eq!(in_script(r#"{"a":"</script><!--"}"#), "{\"a\":\"\\u003c/script>\\u003c!--\"}");
        assert_eq!(in_text("<b>&"), "&lt;b&gt;&amp;");
    }
}
