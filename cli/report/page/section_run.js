// reassemble.run/1: a program on described GPUs, the host's time and the kernels; reassemble.run-timeline/1 is in section_timeline.js.

const HOST_STATES = [["runs_ns", "its own code"], ["calls_ns", "OpenCL calls"], ["sleeps_ns", "sleeping"],
  ["awaits_kernels_ns", "waiting: the GPU computes"], ["awaits_transfers_ns", "waiting: bytes move"],
  ["awaits_gpu_ns", "waiting: the GPU begins or reports"]];

function sectionOfRun(section, document_) {
  const gpus = document_.gpus || [], several = gpus.length > 1;
  barPlot(section, {name: "host", title: `Where the time of ${String(document_.program).split("/").pop()} goes`, unit: "simulated time of the host, µs",
    about: "The simulated time of the host, by what the host does.",
    legendItems: HOST_STATES.map(([, label], i) => [label, series(i)]),
    rows: gpus.map(one => ({name: one.gpu, text: number(microseconds(one.total_ns)), about: [["in all", `${number(microseconds(one.total_ns))} µs`]],
      parts: HOST_STATES.map(([key, label], i) => hostPart((one.host || {})[key], label, i)).filter(part => part.value > 0)}))});
  const kernels = gpus.flatMap(one => (one.kernels || []).map(kernel => ({gpu: one.gpu, ...kernel})));
  barPlot(section, {name: "program-kernels", title: "Time of each kernel", about: "The sum of all launches of a kernel.", unit: "µs",
    rows: kernels.slice(0, 40).map(kernel => ({name: several ? `${kernel.name} on ${kernel.gpu}` : kernel.name,
      text: number(microseconds(kernel.sum_ns)),
      about: [["launches", number(kernel.launches)], ["least", `${number(microseconds(kernel.least_ns))} µs`], ["most", `${number(microseconds(kernel.most_ns))} µs`]],
      parts: [{value: microseconds(kernel.sum_ns), colour: series(0), label: "in all", text: `${number(microseconds(kernel.sum_ns))} µs`}]}))});
  table(section, "Kernels", kernels, columnsOf(kernels));
  const missing = gpus.flatMap(one => (one.without_time || []).map(launch => ({gpu: one.gpu, ...launch})));
  if (missing.length > 0) table(section, "Launches without a time", missing, columnsOf(missing));
  const moves = gpus.flatMap(one => (one.moves || []).map(move => ({gpu: one.gpu, ...move})));
  table(section, "Other commands", moves, columnsOf(moves));
}

function hostPart(nanoseconds, label, i) {
  const value = microseconds(nanoseconds) || 0;
  return {value, label, colour: series(i), text: `${number(value)} µs`};
}
