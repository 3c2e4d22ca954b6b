// Predicted over measured times, and the error of each kernel.

const BANDS = [[25, "far"], [10, "near"]]; // percent around the diagonal

// points: [{name, about, measured, predicted, series}]
function accuracyPlot(parent, {name, title, about, points, unit, names}) {
  points = points.filter(point => point.measured > 0 && point.predicted > 0);
  if (points.length === 0) return;
  figure(parent, {name, title, about, draw});

  function draw(svg, width) {
    const left = 74, items = names.length > 1 ? names.map((text, i) => [text, series(i), "dot"]) : [];
    const top = legend(svg, [...items, ["within 10 %", "var(--band-near)"], ["within 25 %", "var(--band-far)"]], left, 0, width) + 6;
    const side = Math.min(width - left - 18, 520), right = left + side, bottom = top + side;
    const values = points.reduce((list, point) => list.concat(point.measured, point.predicted), []);
    const low = d3.min(values) / 1.35, high = d3.max(values) * 1.35;
    const x = d3.scaleLog().domain([low, high]).range([left, right]), y = x.copy().range([bottom, top]);
    const clip = (value, most) => Math.min(most, Math.max(low, value));
    for (const [size, className] of BANDS) {
      const over = 1 + size / 100, under = 1 - size / 100;
      const corners = [[low, clip(low * over, high)], [high / over, high], [high, high], [high, high * under],
        [low / under, low], [low, low]];
      svg.append("path").attr("class", className)
        .attr("d", "M" + corners.map(([a, b]) => `${x(clip(a, high))},${y(clip(b, high))}`).join("L") + "Z");
    }
    const decades = Math.log10(high / low);
    const ticks = {ticks: decades > 2 ? Math.ceil(decades) : 4, format: "~s"};
    bottomAxis(svg, x, {left, right, y: bottom, title: `measured, ${unit}`, grid: side, ...ticks});
    leftAxis(svg, y, {top, bottom, x: left, title: `predicted, ${unit}`, grid: side, ...ticks});
    svg.append("path").attr("class", "line").attr("d", `M${x(low)},${y(low)}L${x(high)},${y(high)}`);
    hover(svg.append("g").selectAll("circle").data(points).enter().append("circle").attr("class", "halo point").attr("r", 5)
      .attr("cx", point => x(point.measured)).attr("cy", point => y(point.predicted))
      .style("fill", point => series(names.indexOf(point.series))), describe);
    if (points.length <= 25) placeNames(svg, points, x, y);
    return bottom + 42;
  }

  function describe(point) {
    return [point.name, [...(point.about ? [["", point.about]] : []), ["measured", `${number(point.measured)} ${unit}`],
      ["predicted", `${number(point.predicted)} ${unit}`], ["error", percent(100 * (point.predicted / point.measured - 1))]]];
  }
}

// Writes names beside points, each at the first of eight places that is free; a name that has none is left to hovering.
function placeNames(svg, points, x, y) {
  const taken = points.map(point => [x(point.measured) - 6, y(point.predicted) - 6, 12, 12]);
  const overlaps = (a, b) => a[0] < b[0] + b[2] && b[0] < a[0] + a[2] && a[1] < b[1] + b[3] && b[1] < a[1] + a[3];
  for (const point of points) {
    const text = cut(point.name, 18), w = textWidth(text), h = 12;
    const cx = x(point.measured), cy = y(point.predicted);
    const places = [[8, -6], [-8 - w, -6], [-w / 2, -20], [-w / 2, 8], [7, -18], [7, 6], [-7 - w, -18], [-7 - w, 6]];
    const free = places.map(([dx, dy]) => [cx + dx, cy + dy, w, h]).find(box => !taken.some(other => overlaps(box, other)));
    if (!free) continue;
    taken.push(free);
    svg.append("text").attr("x", free[0]).attr("y", free[1] + 10).text(text);
  }
}
