// What happened when: work-items on each core (simulate --detail), and engines in a timeline (simulate --timeline).

// Rows of equal bins: rows [{name, values: [[kind, value], ...] per bin}] with the largest value of a bin.
// `time` is the unit of the bins, `since` what the axis begins at.
function stripsPlot(parent, {name, title, about, rows, kinds, colours, most, binWidth, unit, time = "cycles", since = "the launch began"}) {
  const bins = d3.max(rows, row => d3.max(kinds, kind => (row.values[kind] || []).length)) || 0;
  if (bins === 0) return;
  figure(parent, {name, title, about, draw});

  function draw(svg, width) {
    const left = Math.min(width * 0.3, 16 + d3.max(rows, row => textWidth(row.name))), right = width - 16;
    const top = kinds.length > 1 ? legend(svg, kinds.map((kind, i) => [kind, colours[i]]), left, 0, width) + 4 : 6;
    const high = rows.length > 16 ? 18 : 30, step = high + 5, bottom = top + rows.length * step;
    const x = d3.scaleLinear().domain([0, bins * binWidth]).range([left, right]);
    bottomAxis(svg, x, {left, right, y: bottom, title: `${time} since ${since}`, format: "~s", ticks: width < 500 ? 4 : 8});
    rows.forEach((row, i) => {
      const base = top + i * step + high, y = d3.scaleLinear().domain([0, most]).range([0, high]);
      svg.append("text").attr("x", left - 8).attr("y", base - high / 2 + 4).attr("text-anchor", "end").text(cut(row.name, Math.floor((left - 10) / 6.4)));
      const below = new Array(bins).fill(0);
      kinds.forEach((kind, k) => {
        let upper = "", lower = "";
        for (let bin = 0; bin < bins; bin++) {
          const a = x(bin * binWidth).toFixed(1), b = x((bin + 1) * binWidth).toFixed(1), from = base - y(below[bin]);
          below[bin] += (row.values[kind] || [])[bin] || 0;
          const to = base - y(below[bin]);
          upper += `${bin === 0 ? "M" : "L"}${a},${to.toFixed(1)}H${b}`;
          lower = `L${b},${from.toFixed(1)}H${a}` + lower;
        }
        svg.append("path").attr("class", "piece").attr("d", upper + lower + "Z").style("fill", colours[k]);
      });
      svg.append("path").attr("class", "dashes").attr("d", `M${left},${base}H${right}`);
      const cover = svg.append("rect").attr("class", "cell").attr("x", left).attr("y", base - high).attr("width", right - left).attr("height", high)
        .attr("fill", "transparent").node();
      cover.addEventListener("mouseleave", hideTooltip);
      cover.addEventListener("mousemove", event => {
        const box = cover.getBoundingClientRect(), bin = Math.max(0, Math.min(bins - 1, Math.floor(bins * (event.clientX - box.left) / box.width)));
        showTooltip([row.name, [[`from, ${time}`, number(Math.round(bin * binWidth))],
          ...kinds.map(kind => [kind, `${number((row.values[kind] || [])[bin] || 0)} ${unit}`])]], event);
      });
    });
    return bottom + 42;
  }
}

function occupancyPlot(section, kernel, occupancy) {
  const most = d3.max(occupancy.cores, core => d3.max(core)) || 1;
  stripsPlot(section, {name: `occupancy-${kernel.name}`, title: `Work-items on each core of ${kernel.name}`, kinds: ["resident"], colours: ["var(--k0)"],
    about: `Mean number of resident work-items in bins of ${number(occupancy.bin_cycles)} cycles; a full strip is ${number(most)}.`,
    rows: occupancy.cores.map((core, i) => ({name: `core ${i}`, values: {resident: core}})), most, binWidth: occupancy.bin_cycles, unit: "work-items"});
}

function sectionOfTimeline(section, document_) {
  timelinePlot(section, document_, {title: "What the engines of each core do", of: "Share of the time of a core's execution engines", since: "the launch began"});
}

function sectionOfRunTimeline(section, document_) {
  timelinePlot(section, document_, {title: "What the host and the queues do", of: "Share of the time of the host and of each queue", since: "the simulated time began"});
}

function timelinePlot(section, document_, {title, of, since}) {
  const kinds = document_.kinds || [], colours = kinds.map((kind, i) => series(i)), time = document_.unit;
  stripsPlot(section, {name: "timeline", title, kinds, colours, most: 100, binWidth: document_.bin_width, unit: "%", time, since,
    about: `${of}, in bins of ${number(document_.bin_width)} ${time}; a full strip is 100 %.` +
      (document_.spans_left_out > 0 ? ` The file has the first spans only: ${number(document_.spans_left_out)} more were left out.` : ""),
    rows: (document_.cores || []).map(core => ({name: core.name, values: core.busy_percent}))});
}
