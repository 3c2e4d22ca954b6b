// Cycle stacks: a bar a row, a piece a component.

// rows: [{name, stack: {component: cycles}}]. Shares are shown first where the bars differ much, unless `absolute`.
function stackPlot(parent, {name, title, about, rows, unit = "cycles", absolute = false}) {
  const parts = componentsOf(rows.map(row => row.stack));
  const total = row => d3.sum(parts, ([key]) => row.stack[key] || 0);
  const longest = d3.max(rows, total), shortest = d3.min(rows, total);
  let share = !absolute && longest > 20 * shortest;
  const made = figure(parent, {name, title, about, draw});
  const options = [[false, unit], [true, "share of the time"]];
  if (rows.length > 1) choice(made, "Bars show", share ? options.reverse() : options, value => { share = value; });

  function draw(svg, width) {
    const left = Math.min(width * 0.36, 16 + d3.max(rows, row => textWidth(row.name)));
    const right = width - 74;
    const top = legend(svg, parts.map(([, text, colour]) => [text, colour]), left, 0, width) + 4;
    const bar = rows.length > 30 ? 14 : 22, gap = rows.length > 30 ? 3 : 7;
    const bottom = top + rows.length * (bar + gap);
    const x = d3.scaleLinear().domain([0, share ? 100 : longest || 1]).range([left, right]);
    bottomAxis(svg, x, {left, right, y: bottom, title: share ? "share of the time, %" : unit, grid: bottom - top, format: "~s",
      ticks: width < 500 ? 4 : 6});
    rows.forEach((row, i) => {
      const y = top + i * (bar + gap), sum = total(row);
      svg.append("text").attr("x", left - 8).attr("y", y + bar / 2 + 4).attr("text-anchor", "end")
        .text(cut(row.name, Math.floor((left - 10) / 6.4)));
      let from = 0;
      const pieces = parts.map(([key, text, colour]) => {
        const value = row.stack[key] || 0, piece = {row, text, colour, value, sum, from};
        from += value;
        return piece;
      }).filter(piece => piece.value > 0);
      const scale = value => x(share ? 100 * value / (sum || 1) : value);
      hover(svg.append("g").selectAll("rect").data(pieces).enter().append("rect").attr("class", "piece")
        .attr("x", piece => scale(piece.from)).attr("y", y).attr("height", bar)
        .attr("width", piece => Math.max(0.3, scale(piece.from + piece.value) - scale(piece.from) - 0.6))
        .style("fill", piece => piece.colour),
      piece => [piece.row.name, [[piece.text, `${number(piece.value)} ${unit}`],
        ["share", `${number(100 * piece.value / piece.sum)} %`], ["in all", `${number(piece.sum)} ${unit}`]]]);
      svg.append("text").attr("class", "value").attr("x", scale(sum) + 6).attr("y", y + bar / 2 + 4).text(number(Math.round(sum)));
    });
    return bottom + 42;
  }
}
