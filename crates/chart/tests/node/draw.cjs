// ECharts itself and a list of options in, what was drawn of each out.
"use strict";
const echarts = require(process.argv[2]);
const options = JSON.parse(require("fs").readFileSync(process.argv[3], "utf8"));
let complaints = [];
console.warn = console.error = (...words) => complaints.push(words.map(String).join(" "));

// In a graph a link is a stroke and a node a circle; the head of an arrow is neither.
const part = (option, element) => {
  if (option.series[0].type !== "graph") return "mark";
  if (element.includes('fill="none"')) return "link";
  return /\bd="M1 0A/.test(element) ? "node" : undefined;
};

const drawn = options.map((option) => {
  complaints = [];
  const chart = echarts.init(null, null, { renderer: "svg", ssr: true, width: 800, height: 500 });
  chart.setOption({ ...option, animation: false });
  const svg = chart.renderToSVGString();
  // Every mark says which series and which row it belongs to, some with more than one element.
  const marks = new Set();
  for (const [element] of svg.matchAll(/<(?:path|rect|circle|ellipse|polygon)\b[^>]*ecmeta_data_index[^>]*>/g)) {
    const read = (name) => (element.match(new RegExp(`ecmeta_${name}="([^"]*)"`)) || [])[1];
    // Those of the legend are no marks.
    if (read("ssr_type") !== "chart" || !part(option, element)) continue;
    marks.add([read("series_index"), read("data_index"), part(option, element)].join("/"));
  }
  let held = 0;
  chart.getModel().eachSeries((series) => {
    const data = series.getRawData();
    const dimension = data.mapDimension("y") || data.mapDimension("value");
    for (let at = 0; at < data.count(); at++) if (Number.isFinite(data.get(dimension, at))) held++;
  });
  chart.dispose();
  return { complaints, marks: marks.size, held };
});
process.stdout.write(JSON.stringify(drawn), () => process.exit(0));
