// What all plots share: elements, numbers, figures that follow the width of the page, axes, legends and hovering.

function element(parent, tag, className, text) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  if (parent) parent.appendChild(made);
  return made;
}

// Returns a number as people read it: whole ones in full, others with four digits.
function number(value) {
  if (typeof value !== "number" || !isFinite(value)) return value === null || value === undefined ? "–" : String(value);
  if (Number.isInteger(value) && Math.abs(value) < 1e12) return d3.format(",")(value).replace("−", "-");
  const size = Math.abs(value);
  if (size >= 1e12 || size < 1e-3) return d3.format(".3~e")(value).replace("−", "-");
  return d3.format(size >= 1000 ? ",.0f" : ",.4~r")(value).replace("−", "-");
}

function percent(value) {
  return d3.format("+.1f")(value).replace("−", "-") + " %";
}

// Returns the text, cut to `most` characters.
function cut(text, most) {
  return text.length > most ? text.slice(0, most - 1) + "…" : text;
}

// Returns the width of a text of 12 pixels, estimated: documents are drawn where no text can be measured, too.
function textWidth(text) {
  return 7.2 * text.length;
}

const figures = [];

// Adds a figure with a plot. `draw(svg, width)` fills an empty <svg> and returns its height; it is called again when the
// width of the page changes.
function figure(parent, {name, title, about, draw}) {
  const frame = element(parent, "figure");
  const caption = element(frame, "figcaption");
  element(caption, "h3", "", title);
  if (about) element(caption, "p", "", about);
  const controls = element(frame, "div", "controls");
  const svg = d3.select(frame).append("svg").attr("class", "plot").attr("role", "img").attr("aria-label", title)
    .attr("data-name", name);
  const made = {frame, controls, svg, width: 0};
  made.redraw = () => {
    const width = Math.max(300, Math.min(1040, Math.round(frame.clientWidth) || 760));
    made.width = width;
    svg.selectAll("*").remove();
    const height = Math.ceil(draw(svg, width));
    svg.attr("viewBox", `0 0 ${width} ${height}`).attr("width", width).attr("height", height);
  };
  figures.push(made);
  made.redraw();
  return made;
}

function followWidth() {
  let waiting = 0;
  window.addEventListener("resize", () => {
    cancelAnimationFrame(waiting);
    waiting = requestAnimationFrame(() => {
      for (const made of figures)
        if (Math.abs(made.frame.clientWidth - made.width) > 1) made.redraw();
    });
  });
}

// Adds buttons of which one is pressed; choose(value) is called with the first one's value at the end.
function choice(made, label, options, choose) {
  const group = element(made.controls, "span");
  if (label) element(group, "label", "", label + " ");
  const buttons = options.map(([value, text]) => {
    const button = element(group, "button", "", text);
    button.type = "button";
    button.onclick = () => { press(button); choose(value); made.redraw(); };
    return button;
  });
  function press(pressed) {
    for (const button of buttons) button.setAttribute("aria-pressed", String(button === pressed));
  }
  press(buttons[0]);
}

// Adds a list to choose from; choose(value) is called when another entry is taken.
function selection(made, label, options, value, choose) {
  const text = element(made.controls, "label", "", label + " ");
  const select = element(text, "select");
  for (const option of options) element(select, "option", "", option).value = option;
  select.value = value;
  select.onchange = () => { choose(select.value); made.redraw(); };
}

// Sets the ticks of an axis: a logarithmic scale leaves labels out where they would be too dense.
function withTicks(axis, scale, ticks, format) {
  axis.tickSizeOuter(0);
  return scale.base ? axis.ticks(ticks, format) : axis.ticks(ticks).tickFormat(format ? d3.format(format) : null);
}

// Draws an axis. `y` or `x` is its place on the other axis, `title` has the unit, `grid` is the length of its lines across.
function bottomAxis(svg, scale, {left, right, y, title, ticks = 6, format, grid}) {
  const at = `translate(0,${y})`;
  if (grid) svg.append("g").attr("class", "grid").attr("transform", at)
    .call(d3.axisBottom(scale).ticks(ticks).tickSize(-grid).tickFormat("").tickSizeOuter(0));
  svg.append("g").attr("class", "axis").attr("transform", at).call(withTicks(d3.axisBottom(scale), scale, ticks, format));
  svg.append("text").attr("class", "label").attr("x", (left + right) / 2).attr("y", y + 34)
    .attr("text-anchor", "middle").text(title);
}

function leftAxis(svg, scale, {top, bottom, x, title, ticks = 6, format, grid}) {
  const at = `translate(${x},0)`;
  if (grid) svg.append("g").attr("class", "grid").attr("transform", at)
    .call(d3.axisLeft(scale).ticks(ticks).tickSize(-grid).tickFormat("").tickSizeOuter(0));
  svg.append("g").attr("class", "axis").attr("transform", at).call(withTicks(d3.axisLeft(scale), scale, ticks, format));
  svg.append("text").attr("class", "label").attr("transform", `translate(14,${(top + bottom) / 2}) rotate(-90)`)
    .attr("text-anchor", "middle").text(title);
}

// Draws [text, colour] items in rows from the left. Returns the y below them.
function legend(svg, items, left, top, right) {
  let x = left, y = top + 10;
  for (const [text, colour, shape] of items) {
    const width = 20 + textWidth(text) + 14;
    if (x > left && x + width > right) { x = left; y += 19; }
    if (shape === "dot") svg.append("circle").attr("cx", x + 6).attr("cy", y - 4).attr("r", 4.5).style("fill", colour);
    else if (shape === "diamond") svg.append("path").attr("class", "base").attr("d", diamond(x + 6, y - 4, 6));
    else if (shape === "line") svg.append("path").attr("d", `M${x},${y - 4}h13`).style("stroke", colour).attr("stroke-width", 2);
    else svg.append("rect").attr("x", x).attr("y", y - 10).attr("width", 12).attr("height", 12).attr("rx", 2).style("fill", colour);
    svg.append("text").attr("x", x + 18).attr("y", y).text(text);
    x += width;
  }
  return y + 12;
}

function diamond(x, y, radius) {
  return `M${x - radius},${y}L${x},${y - radius}L${x + radius},${y}L${x},${y + radius}Z`;
}

// Returns the colour of the i-th series.
function series(i) {
  return `var(--k${i % 8})`;
}

// Shows what `rows(datum)` returns, [title, [[label, value], ...]], beside the pointer while it is over an element.
function hover(elements, rows) {
  elements.each(function(datum) {
    this.addEventListener("mousemove", event => showTooltip(rows(datum), event));
    this.addEventListener("mouseleave", hideTooltip);
  });
}

let tooltip = null;
function showTooltip([title, rows], event) {
  if (!tooltip) tooltip = element(document.body, "div", "tooltip");
  tooltip.textContent = "";
  element(tooltip, "b", "", title);
  for (const [label, value] of rows) {
    const row = element(tooltip, "div");
    element(row, "span", "", label);
    element(row, "span", "", value);
  }
  const {clientX, clientY} = event;
  const box = tooltip.getBoundingClientRect();
  const beyond = clientX + 14 + box.width > window.innerWidth;
  tooltip.style.left = Math.max(4, beyond ? clientX - 14 - box.width : clientX + 14) + "px";
  tooltip.style.top = Math.max(4, Math.min(clientY + 14, window.innerHeight - box.height - 4)) + "px";
}

function hideTooltip() {
  if (tooltip) tooltip.remove();
  tooltip = null;
}
