// reassemble.info/1: what traces hold. reassemble.params/1: the parameters of a GPU with their sources.

function sectionOfInfo(section, document_) {
  const traces = (document_.traces || []).filter(trace => trace.operations);
  for (const trace of traces.slice(0, 12)) {
    const operations = Object.entries(trace.operations).filter(([, count]) => count > 0).sort((a, b) => b[1] - a[1]);
    const sum = d3.sum(operations, ([, count]) => count);
    const name = trace.workload || trace.file;
    barPlot(section, {name: `operations-${name}`, title: `Operations of ${name}`, unit: "share of the work-items' instructions, %", about: "",
      rows: operations.map(([operation, count]) => ({name: operation, text: d3.format(".1f")(100 * count / sum), about: [["instructions", number(count)]],
        parts: [{value: 100 * count / sum, colour: series(0), label: "share", text: `${number(100 * count / sum)} %`}]}))});
  }
  sectionOfAny(section, document_);
}

function sectionOfParams(section, document_) {
  const shown = new Set(["key", "value", "unit", "meaning", "interval", "source"]), rows = document_.parameters || [];
  table(section, "Parameters", rows, columnsOf(rows).filter(column => shown.has(column.key)));
}
