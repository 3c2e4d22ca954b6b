// The roofline (Williams, Waterman, Patterson, CACM 52:4, 2009): how far kernels are from the arithmetic and the bandwidth
// of their GPU. Its parameters come from another document of the report (reassemble.params/1).

// Returns the roofs of a GPU, in issue slots of work-items and in bytes, both per cycle; a bandwidth of 0 is not limited.
function roofsOf(parameters) {
  const value = key => (parameters.find(row => row.key === key) || {}).value || 0;
  const lanes = value("cores") * value("execution_engines") * value("warp_size");
  const bandwidths = [["DRAM", value("dram_bytes_per_cycle"), "dram_bytes"], ["L2", value("l2_bytes_per_cycle"), "l1_l2_bytes"],
    ["L1 to L2", value("cores") * value("l1_l2_bytes_per_cycle"), "l1_l2_bytes"]];
  return {warp: value("warp_size"), peak: value("arith_cycles") > 0 ? lanes / value("arith_cycles") : lanes,
    bandwidths: bandwidths.filter(([, bytes]) => bytes > 0)};
}

function rooflinePlot(section, kernels, gpu, all) {
  const found = all.find(entry => entry.document.schema === "reassemble.params/1" && entry.document.gpu === gpu);
  const roofs = found && roofsOf(found.document.parameters || []);
  const of = (kernel, key) => key === "l1_l2_bytes" ? (kernel.l1_l2_read_bytes || 0) + (kernel.l1_l2_written_bytes || 0) : kernel[key];
  const points = [];
  for (const kernel of roofs ? kernels : []) {
    const slots = kernel.issue_slots * roofs.warp;
    const levels = roofs.bandwidths.length > 0 ? roofs.bandwidths : [["DRAM", 0, "dram_bytes"]];
    levels.forEach(([level, , key]) => {
      if (slots > 0 && of(kernel, key) > 0)
        points.push({name: kernel.name, level, intensity: slots / of(kernel, key), rate: slots / kernel.cycles});
    });
  }
  if (points.length === 0) return roofs ? undefined : element(section, "p", "soft", `For the roofline add what reassemble params --gpu ${gpu} --json prints to the report.`);
  const levels = [...new Set(points.map(point => point.level))];
  const unlimited = roofs.bandwidths.length === 0 ? " This GPU description limits no bandwidth, so there is no slanted roof." : "";
  figure(section, {name: "roofline", title: "Roofline", draw,
    about: `Work over traffic, and work over time, of each kernel; the flat roof is what all lanes issue.${unlimited}`});

  function draw(svg, width) {
    const left = 70, right = width - 18, height = 340, items = levels.map((text, i) => [`traffic of ${text}`, series(i), "dot"]);
    const top = legend(svg, items, left, 0, width) + 4, bottom = top + height;
    const ridges = roofs.bandwidths.map(([, bytes]) => roofs.peak / bytes);
    const xs = points.map(point => point.intensity).concat(ridges), ys = points.map(point => point.rate);
    const x = d3.scaleLog().domain([d3.min(xs) / 4, d3.max(xs) * 6]).range([left, right]);
    const y = d3.scaleLog().domain([d3.min(ys) / 3, roofs.peak * 2]).range([bottom, top]);
    const ticks = scale => Math.max(2, Math.min(6, Math.round(Math.log10(scale.domain()[1] / scale.domain()[0]))));
    bottomAxis(svg, x, {left, right, y: bottom, title: "issue slots of work-items per byte", grid: height, format: "~s", ticks: ticks(x)});
    leftAxis(svg, y, {top, bottom, x: left, title: "issue slots of work-items per cycle", grid: right - left, format: "~s", ticks: ticks(y)});
    svg.append("path").attr("class", "line").attr("d", `M${x(d3.min([x.domain()[0], ...ridges]))},${y(roofs.peak)}H${right}`);
    svg.append("text").attr("class", "value").attr("text-anchor", "end").attr("x", right - 4).attr("y", y(roofs.peak) - 6)
      .text(`all lanes: ${number(roofs.peak)} slots per cycle`);
    for (const [level, bytes] of roofs.bandwidths) {
      const from = Math.max(x.domain()[0], y.domain()[0] / bytes), to = roofs.peak / bytes;
      svg.append("path").attr("class", "line").style("stroke", series(levels.indexOf(level)))
        .attr("d", `M${x(from)},${y(from * bytes)}L${x(to)},${y(roofs.peak)}`);
      svg.append("text").attr("class", "value").attr("x", x(Math.sqrt(from * to)) + 10).attr("y", y(Math.sqrt(from * to) * bytes) + 14).text(`${level}: ${number(bytes)} bytes per cycle`);
    }
    hover(svg.append("g").selectAll("circle").data(points).enter().append("circle").attr("class", "halo point").attr("r", 5.5)
      .attr("cx", point => x(point.intensity)).attr("cy", point => y(point.rate)).style("fill", point => series(levels.indexOf(point.level))),
    point => [point.name, [[`slots per byte of ${point.level}`, number(point.intensity)], ["slots per cycle", number(point.rate)],
      ["of what all lanes issue", `${number(100 * point.rate / roofs.peak)} %`]]]);
    placeNames(svg, points.filter(point => point.level === levels[0]).map(point => ({...point, measured: point.intensity, predicted: point.rate})), x, y);
    return bottom + 42;
  }
}
