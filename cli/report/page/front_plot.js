// Designs by area and speed-up, with the Pareto front; and the objective over two axes.

const NEAR_PIXELS = 24;

// points: [{name, area, speedup, parameters, energy}]; front: those that no cheaper design equals.
function frontPlot(parent, {name, title, about, points, front, score}) {
  if (front.length === 0 && points.length === 0) return;
  const keys = points.length > 0 ? Object.keys(points[0].parameters || {}) : [];
  let by = "nothing";
  const made = figure(parent, {name, title, about, draw});
  if (keys.length > 0) selection(made, "Colour by", ["nothing", ...keys], by, value => { by = value; });

  function draw(svg, width) {
    const values = by === "nothing" ? [] : [...new Set(points.map(point => point.parameters[by]))].sort(compare);
    const colour = value => values.length > 8 ? d3.interpolateCividis(values.indexOf(value) / (values.length - 1)) : series(values.indexOf(value));
    const items = values.length > 8 ? [] : values.map(value => [`${by} ${cellText(value)}`, colour(value), "dot"]);
    const left = 62, right = width - 16, height = width < 500 ? 300 : 400;
    const top = legend(svg, [...items, ["Pareto front", "var(--ink)", "line"], ["base", "var(--ink)", "diamond"]], left, 0, width) + 4;
    const bottom = top + height;
    const both = points.concat(front);
    const x = d3.scaleLinear().domain(d3.extent(both, point => point.area)).nice().range([left, right]);
    const y = d3.scaleLinear().domain(d3.extent(both, point => point.speedup)).nice().range([bottom, top]);
    bottomAxis(svg, x, {left, right, y: bottom, title: "area, lanes (a proxy)", grid: height, format: "~s", ticks: width < 500 ? 4 : 8});
    leftAxis(svg, y, {top, bottom, x: left, title: `speed-up over the base${score}`, grid: right - left});
    const place = (marks, radius) => marks.attr("cx", point => x(point.area)).attr("cy", point => y(point.speedup)).attr("r", radius);
    place(svg.append("g").selectAll("circle").data(points).enter().append("circle").attr("class", "point faint"), points.length > 1500 ? 2.2 : 3.5)
      .style("fill", point => by === "nothing" ? series(0) : colour(point.parameters[by]));
    const step = front.slice().sort((a, b) => a.area - b.area);
    svg.append("path").attr("class", "line")
      .attr("d", d3.line().curve(d3.curveStepAfter).x(point => x(point.area)).y(point => y(point.speedup))(step));
    place(svg.append("g").selectAll("circle").data(step).enter().append("circle").attr("class", "halo point front"), 4.5)
      .style("fill", "var(--ink)");
    const base = points.find(point => point.name === "base");
    if (base) svg.append("path").attr("class", "base").attr("d", diamond(x(base.area), y(base.speedup), 8));
    hoverNearest(svg, step.concat(points), point => [x(point.area), y(point.speedup)], describe, [left, top, right, bottom]);
    return bottom + 42;
  }

  function describe(point) {
    return [point.name || "design", [["speed-up", number(point.speedup)], ["area", `${number(point.area)} lanes`],
      ...(typeof point.energy === "number" ? [["energy over the base's", number(point.energy)]] : []),
      ...(point.name && point.name !== "base" ? [] : Object.entries(point.parameters || {}).map(([key, value]) => [key, cellText(value)]))]];
  }
}

// Shows what is said of the point that is nearest to the pointer, and a ring around it.
function hoverNearest(svg, points, at, describe, [left, top, right, bottom]) {
  const tree = d3.quadtree(points, point => at(point)[0], point => at(point)[1]);
  const ring = svg.append("circle").attr("class", "line").attr("r", 8).style("display", "none");
  const cover = svg.append("rect").attr("x", left).attr("y", top).attr("width", right - left).attr("height", bottom - top)
    .attr("fill", "transparent").attr("class", "cover").node();
  const hide = () => { ring.style("display", "none"); hideTooltip(); };
  cover.addEventListener("mouseleave", hide);
  cover.addEventListener("mousemove", event => {
    const box = svg.node().getBoundingClientRect(), scale = svg.node().viewBox.baseVal.width / box.width;
    const found = tree.find((event.clientX - box.left) * scale, (event.clientY - box.top) * scale, NEAR_PIXELS);
    if (!found) return hide();
    ring.style("display", null).attr("cx", at(found)[0]).attr("cy", at(found)[1]);
    showTooltip(describe(found), event);
  });
}

// The objective over two axes: a cell is the geometric mean of the designs that have both values.
function heatPlot(parent, {name, title, about, points, unit}) {
  const keys = Object.keys(points[0].parameters).filter(key => new Set(points.map(point => point.parameters[key])).size > 1);
  if (keys.length < 2) return;
  let [across, down] = keys;
  const made = figure(parent, {name, title, about, draw});
  selection(made, "Across", keys, across, value => { across = value; });
  selection(made, "Down", keys, down, value => { down = value; });

  function draw(svg, width) {
    const valuesOf = key => [...new Set(points.map(point => point.parameters[key]))].sort(compare);
    const columns = valuesOf(across), rows = valuesOf(down);
    const cells = new Map();
    for (const point of points) {
      const at = JSON.stringify([point.parameters[across], point.parameters[down]]);
      if (point.speedup > 0) cells.set(at, (cells.get(at) || []).concat(Math.log(point.speedup)));
    }
    const data = [];
    for (const column of columns) for (const row of rows) {
      const logs = cells.get(JSON.stringify([column, row]));
      if (logs) data.push({column, row, mean: Math.exp(d3.mean(logs)), count: logs.length});
    }
    const left = 22 + d3.max(rows, value => textWidth(cellText(value))), right = width - 90, top = 22;
    const high = Math.max(22, Math.min(46, 360 / rows.length)), bottom = top + high * rows.length;
    const x = d3.scaleBand().domain(columns).range([left, right]), y = d3.scaleBand().domain(rows).range([top, bottom]);
    const [low, most] = d3.extent(data, cell => cell.mean);
    const shade = mean => most > low ? (Math.log(mean) - Math.log(low)) / (Math.log(most) - Math.log(low)) : 0.5;
    hover(svg.append("g").selectAll("rect").data(data).enter().append("rect").attr("class", "cell")
      .attr("x", cell => x(cell.column) + 0.5).attr("y", cell => y(cell.row) + 0.5).attr("rx", 2)
      .attr("width", x.bandwidth() - 1).attr("height", y.bandwidth() - 1).attr("fill", cell => d3.interpolateCividis(shade(cell.mean))),
    cell => [`${across} ${cellText(cell.column)}, ${down} ${cellText(cell.row)}`, [[unit, number(cell.mean)], ["designs", number(cell.count)]]]);
    if (x.bandwidth() > 36)
      svg.append("g").selectAll("text").data(data).enter().append("text").attr("text-anchor", "middle")
        .attr("class", cell => shade(cell.mean) > 0.55 ? "value on-light" : "value on-dark")
        .attr("x", cell => x(cell.column) + x.bandwidth() / 2).attr("y", cell => y(cell.row) + y.bandwidth() / 2 + 4)
        .text(cell => d3.format(".3~r")(cell.mean));
    for (const value of columns)
      svg.append("text").attr("class", "label value").attr("text-anchor", "middle").attr("x", x(value) + x.bandwidth() / 2).attr("y", bottom + 15)
        .text(cut(cellText(value), Math.max(3, Math.floor(x.bandwidth() / 6.5))));
    for (const value of rows)
      svg.append("text").attr("class", "label value").attr("text-anchor", "end").attr("x", left - 6).attr("y", y(value) + y.bandwidth() / 2 + 4)
        .text(cellText(value));
    svg.append("text").attr("class", "label").attr("x", left).attr("y", 12).text(`↓ ${down}`);
    svg.append("text").attr("class", "label").attr("text-anchor", "middle").attr("x", (left + right) / 2).attr("y", bottom + 34).text(across);
    colourScale(svg, right + 18, top, Math.min(160, bottom - top), low, most);
    return bottom + 44;
  }
}

function colourScale(svg, x, top, height, low, high) {
  const steps = 24;
  for (let i = 0; i < steps; i++)
    svg.append("rect").attr("x", x).attr("y", top + height * (1 - (i + 1) / steps)).attr("width", 14).attr("height", height / steps + 0.5)
      .attr("fill", d3.interpolateCividis(i / (steps - 1)));
  svg.append("text").attr("class", "value").attr("x", x + 19).attr("y", top + 10).text(d3.format(".3~r")(high));
  svg.append("text").attr("class", "value").attr("x", x + 19).attr("y", top + height).text(d3.format(".3~r")(low));
}
