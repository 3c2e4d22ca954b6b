// Values with their intervals, a row each.

// rows: [{name, value, low, high, series, about: [[label, value], ...]}]; `reference` is a line across, or absent.
function intervalPlot(parent, {name, title, about, rows, unit, reference, referenceText, names = [], log = true}) {
  rows = rows.filter(row => typeof row.value === "number" && (!log || row.value > 0));
  if (rows.length === 0) return;
  figure(parent, {name, title, about, draw});

  function draw(svg, width) {
    const left = Math.min(width * 0.42, 16 + d3.max(rows, row => textWidth(row.name))), right = width - 66;
    const items = names.map((text, i) => [text, series(i), "dot"]);
    if (referenceText) items.push([referenceText, "var(--soft)", "line"]);
    const top = items.length > 0 ? legend(svg, items, left, 0, width) + 4 : 6;
    const step = rows.length > 40 ? 15 : 20, bottom = top + rows.length * step;
    const ends = rows.reduce((list, row) => list.concat(row.value, row.low, row.high), reference === undefined ? [] : [reference])
      .filter(value => typeof value === "number" && (!log || value > 0));
    const low = d3.min(ends), high = d3.max(ends), margin = log ? Math.pow(high / low, 0.05) || 1.1 : 0.05 * (high - low || 1);
    const x = (log ? d3.scaleLog() : d3.scaleLinear()).range([left, right])
      .domain(log ? [low / Math.max(margin, 1.02), high * Math.max(margin, 1.02)] : [low - margin, high + margin]);
    bottomAxis(svg, x, {left, right, y: bottom, title: unit, grid: bottom - top, format: high >= 10000 ? "~s" : "~g", ticks: width < 500 ? 3 : 6});
    if (reference !== undefined)
      svg.append("path").attr("class", "dashes").attr("d", `M${x(reference)},${top}V${bottom}`);
    rows.forEach((row, i) => {
      const y = top + i * step + step / 2, colour = series(Math.max(0, names.indexOf(row.series)));
      const group = svg.append("g").datum(row);
      group.append("rect").attr("x", 0).attr("y", y - step / 2).attr("width", width).attr("height", step).attr("fill", "transparent");
      group.append("text").attr("x", left - 8).attr("y", y + 4).attr("text-anchor", "end").text(cut(row.name, Math.floor((left - 10) / 6.4)));
      if (typeof row.low === "number" && typeof row.high === "number")
        group.append("path").attr("class", "whisker").style("stroke", colour)
          .attr("d", `M${x(row.low)},${y - 4}v8M${x(row.low)},${y}H${x(row.high)}M${x(row.high)},${y - 4}v8`);
      group.append("circle").attr("class", "halo point").attr("cx", x(row.value)).attr("cy", y).attr("r", 4.5).style("fill", colour);
      group.append("text").attr("class", "value").attr("x", right + 8).attr("y", y + 4).text(number(row.value));
      hover(group, () => [row.name, [[unit, number(row.value)],
        ...(typeof row.low === "number" ? [["interval", `${number(row.low)} to ${number(row.high)}`]] : []), ...(row.about || [])]]);
    });
    return bottom + 42;
  }
}
