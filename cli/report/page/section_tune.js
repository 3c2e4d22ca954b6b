// reassemble.tune/1: fitted parameters with their intervals, and predictions before and after.

function sectionOfTune(section, document_) {
  const scores = document_.scores || {};
  if (scores.in_sample) scoresOf(section, {...scores.in_sample, constant_baseline_mape_percent: scores.constant_baseline_mape_percent});
  const parameters = document_.parameters || [], kernels = document_.kernels || [];
  const scaled = parameters.filter(row => row.start > 0 && row.tuned > 0);
  intervalPlot(section, {name: "tuned", title: "Fitted parameters, relative to their start", unit: "tuned value over start value", reference: 1,
    referenceText: "start", about: "Lines are intervals of the bootstrap or of cross-validation, where the run has them. The axis is logarithmic; values of 0 stand in the table alone.",
    rows: scaled.map(row => ({name: row.key, value: row.tuned / row.start,
      low: Array.isArray(row.interval) && row.interval[0] > 0 ? row.interval[0] / row.start : undefined,
      high: Array.isArray(row.interval) && row.interval[0] > 0 ? row.interval[1] / row.start : undefined,
      about: [["start", `${number(row.start)} ${row.unit}`], ["tuned", `${number(row.tuned)} ${row.unit}`]]}))});
  const names = ["start values", "tuned", "held out"];
  const of = (key, name) => kernels.filter(kernel => typeof kernel[key] === "number")
    .map(kernel => ({name: kernel.name, measured: kernel.measured, predicted: kernel[key], series: name}));
  accuracyPlot(section, {name: "tuned-accuracy", title: "Predicted and measured time", unit: document_.unit,
    about: "Before tuning, after it, and by a tuning without the kernel (held out), where the run has that.",
    names: names.filter((name, i) => of(["start", "predicted", "held_out"][i], name).length > 0),
    points: [...of("start", names[0]), ...of("predicted", names[1]), ...of("held_out", names[2])]});
  profilesPlot(section, ((document_.identification || {}).parameters || []));
  table(section, "Parameters", parameters, columnsOf(parameters));
  scoreTable(section, scores);
  table(section, "Kernels", kernels, columnsOf(kernels));
}

function scoreTable(section, scores) {
  const rows = Object.keys(scores).filter(key => scores[key] !== null && typeof scores[key] === "object")
    .map(key => ({of: key.replace(/_/g, " "), ...scores[key]}));
  if (rows.length > 0) table(section, "Scores", rows, columnsOf(rows));
}

// The objective when one parameter is moved: alone, and with the others fitted again.
function profilesPlot(section, parameters) {
  parameters = parameters.filter(row => Array.isArray(row.profile) && row.profile.length > 1);
  if (parameters.length === 0) return;
  figure(section, {name: "profiles", title: "How well the measurements determine each parameter", draw,
    about: "The objective when a parameter is multiplied by a factor: alone (dashes), and with the others fitted again (line). A flat line is not determined."});

  function draw(svg, width) {
    const columns = width < 500 ? 1 : Math.min(3, parameters.length), each = width / columns, high = 150, step = high + 64;
    const rows = parameters.reduce((list, row) => list.concat(row.profile), []);
    const values = rows.reduce((list, row) => list.concat(row.fixed, row.refitted), []).filter(value => typeof value === "number");
    parameters.forEach((row, i) => {
      const left = (i % columns) * each + 46, right = (i % columns + 1) * each - 12, top = Math.floor(i / columns) * step + 22, bottom = top + high;
      const x = d3.scaleLog().domain(d3.extent(rows, point => point.factor)).range([left, right]);
      const y = d3.scaleLinear().domain(d3.extent(values)).nice().range([bottom, top]);
      svg.append("text").attr("x", left).attr("y", top - 8).text(cut(row.key, Math.floor((right - left) / 7)));
      svg.append("g").attr("class", "axis").attr("transform", `translate(0,${bottom})`)
        .call(d3.axisBottom(x).tickValues([...new Set(row.profile.map(point => point.factor))]).tickFormat(d3.format("~r")).tickSizeOuter(0));
      svg.append("g").attr("class", "axis").attr("transform", `translate(${left},0)`).call(d3.axisLeft(y).ticks(4, "~s").tickSizeOuter(0));
      svg.append("text").attr("class", "label value").attr("x", (left + right) / 2).attr("y", bottom + 30).attr("text-anchor", "middle").text("factor");
      const line = key => d3.line().defined(point => typeof point[key] === "number").x(point => x(point.factor)).y(point => y(point[key]))(row.profile);
      svg.append("path").attr("class", "dashes").attr("d", line("fixed"));
      svg.append("path").attr("class", "line").style("stroke", series(0)).attr("d", line("refitted"));
      hover(svg.append("g").selectAll("circle").data(row.profile.filter(point => typeof point.refitted === "number")).enter().append("circle")
        .attr("class", "halo point").attr("cx", point => x(point.factor)).attr("cy", point => y(point.refitted)).attr("r", 4).style("fill", series(0)),
      point => [row.key, [["factor", number(point.factor)], ["alone", number(point.fixed)], ["others fitted again", number(point.refitted)]]]);
    });
    return Math.ceil(parameters.length / columns) * step;
  }
}
