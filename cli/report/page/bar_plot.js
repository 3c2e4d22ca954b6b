// Signed bars around zero: errors, changes, and differences that several causes make up.

const OUTLIER = 5;

// Returns how far an axis reaches: to the largest value, but not to one that is many times the next one, whose bar is cut.
function reachOf(sums) {
  const [largest = 0, next = 0] = sums.slice().sort((a, b) => b - a);
  return next > 0 && largest > OUTLIER * next ? 1.6 * next : largest;
}

// rows: [{name, parts: [{value, text, colour}], about: [[label, value], ...]}]
function barPlot(parent, {name, title, about, rows, unit, legendItems = [], cutOutliers = false}) {
  if (rows.length === 0) return;
  figure(parent, {name, title, about, draw});

  function draw(svg, width) {
    const left = Math.min(width * 0.38, 16 + d3.max(rows, row => textWidth(row.name))), right = width - 20;
    const top = legendItems.length > 0 ? legend(svg, legendItems, left, 0, width) + 4 : 4;
    const bar = 16, step = 21, bottom = top + rows.length * step;
    const sums = side => rows.map(row => d3.sum(row.parts, part => Math.max(0, side * part.value)));
    const reach = side => cutOutliers ? reachOf(sums(side)) : d3.max(sums(side)) || 0;
    const [below_, above_] = [reach(-1), reach(1)];
    const x = d3.scaleLinear().domain([Math.min(0, -below_), above_ || (below_ > 0 ? 0 : 1)]).nice().range([left, right - 62]).clamp(true);
    bottomAxis(svg, x, {left, right: right - 62, y: bottom, title: unit, grid: bottom - top, format: "~s", ticks: width < 500 ? 4 : 7});
    rows.forEach((row, i) => {
      const y = top + i * step;
      svg.append("text").attr("x", left - 8).attr("y", y + 12).attr("text-anchor", "end").text(cut(row.name, Math.floor((left - 10) / 6.4)));
      let above = 0, below = 0;
      const pieces = row.parts.map(part => {
        const from = part.value > 0 ? above : below + part.value;
        if (part.value > 0) above += part.value; else below += part.value;
        return {...part, from, to: from + Math.abs(part.value), row};
      });
      hover(svg.append("g").selectAll("rect").data(pieces).enter().append("rect").attr("class", "piece").attr("y", y).attr("height", bar)
        .attr("x", piece => x(piece.from)).attr("width", piece => Math.max(2, x(piece.to) - x(piece.from) - 0.5))
        .style("fill", piece => piece.colour), piece => [piece.row.name, [[piece.label || unit, piece.text], ...piece.row.about]]);
      const beyond = above > x.domain()[1] ? `→ ${number(Math.round(above))}` : "";
      if (row.text || beyond)
        svg.append("text").attr("class", "value").attr("y", y + 12).attr("x", x(above) + 5).text(beyond || row.text);
    });
    svg.append("path").attr("class", "line").attr("d", `M${x(0)},${top - 2}V${bottom}`);
    return bottom + 42;
  }
}
