// The source with heat: what each line of a kernel costs, by component of the cycle stack.

const LINES_DRAWN = 24;

function sourceHeat(section, kernel, lines) {
  const costOf = line => line.cycles === undefined ? line.waited_cycles : line.cycles;
  const rows = lines.filter(line => line.line > 0).sort((a, b) => a.line - b.line);
  if (rows.length === 0) return;
  const costly = new Set(rows.slice().sort((a, b) => costOf(b) - costOf(a)).slice(0, LINES_DRAWN));
  if (rows[0].cycle_stack)
    stackPlot(section, {name: `lines-${kernel.name}`, title: `Source lines of ${kernel.name}`,
      about: "Cycles of the execution engines that each line of the source takes, by cause.", absolute: true,
      rows: rows.filter(line => costly.has(line)).map(line => ({name: `${line.line}  ${line.text || ""}`.trim(), stack: line.cycle_stack}))});
  const most = d3.max(rows, costOf) || 1, sum = d3.sum(rows, costOf) || 1;
  table(section, `Source of ${kernel.name}`, rows, [
    {key: "line", title: "line"},
    ...(rows.some(line => line.text) ? [{title: "source", value: line => line.text || "", className: "code", cell: (cell, line) => {
      cell.textContent = line.text || "";
      cell.style.background = `rgba(230, 97, 1, ${(0.45 * costOf(line) / most).toFixed(3)})`;
    }}] : []),
    {key: "cycles", title: "cycles", text: value => number(Math.round(value))},
    {title: "share, %", value: line => 100 * costOf(line) / sum},
    {key: "waited_cycles", title: "warps waited, cycles"},
    {key: "l1_accesses", title: "L1 accesses"}, {key: "l1_misses", title: "L1 misses"},
    {key: "l2_accesses", title: "L2 accesses"}, {key: "l2_misses", title: "L2 misses"},
  ]).classList.add("heat");
}

// What a remark says: place, finding, share of the time, what to try.
function sentencesOf(remark) {
  const place = remark.line > 0 ? `Line ${remark.line}: ` : "";
  const share = remark.share > 0 ? ` (${(100 * remark.share).toFixed(0)} % of the time)` : "";
  return place + remark.text + share + (remark.advice ? `. Try: ${remark.advice}` : "");
}

// What the counts prove, in sentences.
function remarksOf(section, kernel) {
  const remarks = (kernel.detail || {}).remarks;
  if (!Array.isArray(remarks) || remarks.length === 0) return;
  const list = element(section, "ul", "remarks");
  for (const remark of remarks)
    element(list, "li", "", sentencesOf(remark));
}
