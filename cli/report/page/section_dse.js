// reassemble.dse/1: the designs of a sweep, what each axis does, which designs are worth their area.

function sectionOfDse(section, document_) {
  const answers = document_.answers || [];
  const all = (document_.points || []);
  factList(section, [["designs", number((document_.plan || {}).designs)], ["objective", String(document_.objective || "").replace(/_/g, " ")],
    ["base", document_.gpu]]);
  answers.forEach((answer, i) => {
    const of = answers.length > 1 ? ` (${answer.score})` : "", tail = answers.length > 1 ? `-${i}` : "";
    const points = all.map(point => ({name: point.name || (point.point === 0 ? "base" : undefined), area: point.area, energy: point.energy_ratio, parameters: point.parameters || {},
      speedup: speedupOf(point, answer.score)})).filter(point => point.speedup > 0);
    const front = (answer.pareto || []).map(point => ({...point, energy: point.energy_ratio}));
    frontPlot(section, {name: `front${tail}`, title: `Designs and the Pareto front${of}`, points, front, score: of,
      about: "On the front lie the designs that no cheaper design equals. Area is a proxy (docs/sweeps.md); the numbers of a design stand under the pointer."});
    sensitivitiesOf(section, answer, of, tail);
    effectsOf(section, answer, of, tail);
    if (points.length > 3)
      heatPlot(section, {name: `heat${tail}`, title: `Two axes${of}`, points: points.filter(point => point.name !== "base"), unit: "speed-up",
        about: "Geometric mean of the speed-ups of all designs with both values."});
    table(section, `Pareto front${of}`, answer.pareto || [], columnsOf(answer.pareto || []));
    for (const target of answer.targets || [])
      if (target.designs && target.designs.length > 0)
        table(section, `Cheapest designs with a speed-up of ${number(target.target)}${of}: ${number(target.reached_by)} reach it`,
          target.designs, columnsOf(target.designs));
  });
  if (all.length > 0)
    table(section, "All designs", all, [{key: "point", title: "point"}, {key: "name", title: "name"},
      ...Object.keys(all[0].parameters || {}).map(key => ({title: key, value: point => point.parameters[key]})),
      {key: "objective", title: "speed-up"}, {key: "area", title: "area"}, {key: "energy_ratio", title: "energy"},
      ...((all[0].workloads || []).map((workload, k) => ({title: workload.workload, value: point => ((point.workloads || [])[k] || {}).speedup})))]);
}

// Returns the speed-up of a point by an answer's score, which is the objective or a workload.
function speedupOf(point, score) {
  const workload = (point.workloads || []).find(one => one.workload === score);
  return workload ? workload.speedup : point.objective;
}

function sensitivitiesOf(section, answer, of, tail) {
  const rows = (answer.sensitivities || []).map(row => ({name: row.value, value: row.speedup, low: row.low, high: row.high, series: row.axis,
    about: row.interval_from ? [["interval from", row.interval_from]] : []}));
  intervalPlot(section, {name: `sensitivities${tail}`, title: `One parameter at a time${of}`, rows, unit: "speed-up over the base",
    reference: 1, referenceText: "base", names: [...new Set(rows.map(row => row.series))],
    about: "The other parameters are the base's. Lines are intervals: what the intervals of the base's latencies leave open, else the error of the model."});
}

function effectsOf(section, answer, of, tail) {
  const effects = (answer.main_effects || []).filter(effect => typeof effect.variance_share === "number");
  barPlot(section, {name: `effects${tail}`, title: `What the variation comes from${of}`, unit: "share of the variance of ln(speed-up), %",
    about: "First-order index of Sobol of each axis; the rest is interactions.",
    rows: effects.map((effect, i) => ({name: effect.axis, text: d3.format(".1f")(100 * effect.variance_share), parts: [{
      value: 100 * effect.variance_share, colour: series(i), label: "share", text: `${d3.format(".2f")(100 * effect.variance_share)} %`}],
    about: (effect.values || []).map(value => [value.value, `× ${number(value.factor)}`])}))});
}
