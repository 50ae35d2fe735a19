// What ECharts expects of a browser, and one function: an option as text in, the picture if it is wanted and what is in it out.
"use strict";
globalThis.self = globalThis;
globalThis.setTimeout = () => 0;
globalThis.clearTimeout = () => {};

const complaints = [];
const complain = (...words) => { complaints.push(words.map(String).join(" ")); };
globalThis.console = { log() {}, info() {}, debug() {}, warn: complain, error: complain };

globalThis.drawChart = (text, width, height, wantsPicture) => {
  complaints.length = 0;
  // The same option gives the same picture.
  let seed = 1;
  Math.random = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
  const option = JSON.parse(text);
  option.animation = false;
  const chart = echarts.init(null, null, { renderer: "svg", ssr: true, width, height });
  try {
    chart.setOption(option);
    const svg = wantsPicture ? chart.renderToSVGString() : "";
    const series = [];
    chart.getModel().eachSeries((one) => series.push(count(one)));
    return { svg, report: JSON.stringify({ complaints, series }) };
  } finally {
    chart.dispose();
  }
};

function count(series) {
  const data = series.getData();
  const raw = series.getRawData();
  const links = series.getEdgeData ? elements(series.getEdgeData()) : 0;
  return {
    kind: series.subType,
    held: withValue(series, raw),
    drawn: drawn(series, data),
    sampled: series.subType === "line" && Boolean(series.get("sampling")) && data.count() < raw.count(),
    links,
  };
}

function withValue(series, data) {
  const dimension = data.mapDimension("y") || data.mapDimension("value");
  if (!dimension || series.subType === "graph") return data.count();
  let count = 0;
  for (let at = 0; at < data.count(); at++) if (Number.isFinite(data.get(dimension, at))) count++;
  return count;
}

// A line has one place for each point, what is drawn in one stroke likewise; everything else has an element for each mark.
function drawn(series, data) {
  if (series.subType === "line") return places(data.getLayout("points"), 2);
  const bars = data.getLayout("largePoints");
  if (bars) return places(bars, 3);
  if (series.subType === "scatter" && data.getLayout("points")) return places(data.getLayout("points"), 2);
  return elements(data);
}

function places(numbers, width) {
  if (!numbers) return 0;
  let count = 0;
  for (let at = 0; at + width <= numbers.length; at += width) {
    if (Number.isFinite(numbers[at]) && Number.isFinite(numbers[at + 1])) count++;
  }
  return count;
}

function elements(data) {
  let count = 0;
  for (let at = 0; at < data.count(); at++) if (data.getItemGraphicEl(at)) count++;
  return count;
}
