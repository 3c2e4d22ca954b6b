// reassemble.rank/1: variants with their intervals, and the causes of the differences.

function sectionOfRank(section, document_) {
  const variants = document_.variants || [];
  if (variants.length > 0) {
    const tiers = [...new Set(variants.map(variant => variant.tier))].filter(tier => tier !== undefined).map(tier => `tier ${tier}`);
    intervalPlot(section, {name: "ranking", title: "Variants by predicted time",
      about: `Points are predictions; lines show the error of one prediction (${number(100 * document_.prediction_error_ratio)} %).` +
        (tiers.length > 0 ? " Variants of one tier are too close for the model to tell them apart" +
          `: within ${number(100 * document_.order_error_ratio)} % of its fastest` + (document_.order_error_measured ?
            "; of measured pairs further apart at most one in 20 was in the wrong order." : ". The order of pairs is not measured on this GPU.") : ""),
      rows: variants.map(variant => ({name: variant.name, value: variant.cycles, low: variant.low, high: variant.high, series: `tier ${variant.tier}`,
        about: [["against the fastest", `${number(variant.relative)} times`]]})), names: tiers.length > 1 ? tiers : [],
      unit: "cycles", reference: variants[0].cycles, referenceText: "fastest"});
    reasonsPlot(section, variants);
  }
  table(section, "Variants", variants, [
    {key: "tier", title: "tier"}, {title: "place", value: variant => variants.indexOf(variant) + 1}, {key: "name", title: "variant"},
    {key: "cycles", title: "cycles"}, {title: "µs", value: variant => microseconds(variant.time_ns)}, {key: "low", title: "low"}, {key: "high", title: "high"},
    {key: "relative", title: "relative"},
    {title: "tied with the one above", value: variant => variant.tier === undefined ? variant.tied_with_previous : undefined},
    {title: "largest causes, cycles", value: variant => (variant.reasons || []).slice(0, 3).map(reasonText).join(", ")},
    {title: "remarks", value: variant => (variant.remarks || []).map(sentencesOf).join("; ")},
  ]);
  if (document_.explain) explainOf(section, document_.explain);
  designsOf(section, document_.designs);
  if (Array.isArray(document_.different_results) && document_.different_results.length > 0)
    table(section, "Other results than the first variant leaves, so that the time says little", document_.different_results,
      columnsOf(document_.different_results));
  if (Array.isArray(document_.refused) && document_.refused.length > 0)
    table(section, "Not ranked", document_.refused, columnsOf(document_.refused));
}

// Two variants side by side (--explain).
function explainOf(section, {a, b, components, lines}) {
  const stackOf = key => (components || []).filter(row => row.component !== "all").reduce((stack, row) => ({...stack, [row.component]: row[key]}), {});
  stackPlot(section, {name: "explain", title: `${a} and ${b} side by side`, about: "Cycles of the execution engines by cause.",
    rows: [{name: a, stack: stackOf("a_cycles")}, {name: b, stack: stackOf("b_cycles")}]});
  const columns = [{key: "a_cycles", title: a}, {key: "b_cycles", title: b}, {key: "difference", title: "difference"}]
    .map(column => ({...column, text: value => number(typeof value === "number" ? Math.round(value) : value)}));
  table(section, `${a} and ${b}: cycles by component`, components || [], [{key: "component"}, ...columns]);
  table(section, `${a} and ${b}: cycles by source line`, lines || [], [{key: "line"}, {key: "text", title: "source", className: "code"},
    ...columns, {key: "component", title: "most by"}]);
}

function reasonText(reason) {
  const cycles = (reason.cycles < 0 ? "" : "+") + number(Math.round(reason.cycles));
  return `${reason.component} ${cycles}${reason.source_line ? ` (line ${reason.source_line})` : ""}`;
}

function reasonsPlot(section, variants) {
  const slower = variants.slice(1).filter(variant => (variant.reasons || []).length > 0);
  const stacks = slower.map(variant => variant.reasons.reduce((sums, reason) => {
    sums[reason.component] = (sums[reason.component] || 0) + reason.cycles;
    return sums;
  }, {}));
  if (slower.length === 0) return;
  const parts = componentsOf(stacks);
  barPlot(section, {name: "causes", title: `Why the others are slower than ${variants[0].name}`,
    about: "Difference of each component of the cycle stack to the fastest variant's. What lies left of zero is saved.",
    unit: "cycles more than the fastest", cutOutliers: true, legendItems: parts.map(([, text, colour]) => [text, colour]),
    rows: slower.map((variant, i) => ({name: variant.name,
      parts: parts.map(([key, label, colour]) => ({value: stacks[i][key] || 0, label, colour,
        text: `${number(Math.round(stacks[i][key] || 0))} cycles`})).filter(part => part.value !== 0),
      about: [["in all", `${number(Math.round(variant.cycles - variants[0].cycles))} cycles`]]}))});
}
