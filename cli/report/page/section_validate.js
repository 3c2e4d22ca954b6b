// reassemble.validate/1 and reassemble.validations/1: predictions beside the measurements of boards.

const SCORES = [["mape_percent", "MAPE, %"], ["mape_percent_without_largest", "MAPE without the largest, %"],
  ["constant_baseline_mape_percent", "constant guess, %"], ["issue_slots_baseline_mape_percent", "issue slots, %"],
  ["scaled_mape_percent", "MAPE with one scale, %"], ["first_choice_loss_percent", "lost by the first choice, %"],
  ["noise_percent", "noise of the board, %"],
  ["pearson", "Pearson"], ["spearman", "Spearman"], ["kendall", "Kendall"]];

function scoresOf(section, summary) {
  const facts = SCORES.filter(([key]) => typeof summary[key] === "number").map(([key, text]) => [text, d3.format(".3~r")(summary[key])]);
  factList(section, facts);
}

function accuracyOf(section, kernels, unit, names, name) {
  accuracyPlot(section, {name, title: "Predicted and measured time", unit, names,
    about: "A point on the line is exact. Both axes are logarithmic.",
    points: kernels.map(kernel => ({...kernel, about: kernel.description}))});
}

function sectionOfValidate(section, document_) {
  const kernels = (document_.kernels || []).map(kernel => ({...kernel, series: document_.board}));
  if (document_.summary) scoresOf(section, document_.summary);
  accuracyOf(section, kernels, document_.unit, [document_.board], "accuracy");
  barPlot(section, {name: "errors", title: "Error of each kernel", unit: "predicted over measured − 1, %", about: "",
    rows: kernels.filter(kernel => typeof kernel.error_percent === "number").map(kernel => ({name: kernel.name,
      parts: [{value: kernel.error_percent, label: "error", text: percent(kernel.error_percent), colour: series(kernel.error_percent < 0 ? 0 : 1)}],
      text: kernel.error_percent > 0 ? percent(kernel.error_percent) : "",
      about: [["measured", `${number(kernel.measured)} ${document_.unit}`], ["predicted", `${number(kernel.predicted)} ${document_.unit}`]]}))});
  table(section, "Kernels", document_.kernels || [], columnsOf(document_.kernels || []));
  if (Array.isArray(document_.ablation)) ablationScoresOf(section, document_.ablation);
}

// What each mechanism of the model does for the accuracy (--ablate).
function ablationScoresOf(section, steps) {
  barPlot(section, {name: "ablation", title: "What each mechanism does for the accuracy", unit: "MAPE, %", cutOutliers: true,
    about: "−: one mechanism off in turn. +: mechanisms added one by one.",
    rows: steps.filter(step => typeof step.mape_percent === "number").map(step => ({name: stepName(step), text: number(step.mape_percent),
      parts: [{value: step.mape_percent, label: "MAPE", text: `${number(step.mape_percent)} %`, colour: series(step.kind === "step" ? 2 : step.kind === "all" ? 7 : 0)}],
      about: step.meaning ? [["", step.meaning]] : []}))});
  table(section, "Scores by mechanism", steps, columnsOf(steps));
}

const MOST_PERCENT = 10000;

// reassemble.baseline/1: what predictors without a model reach on the same measurements.
function sectionOfBaseline(section, document_) {
  const rows = (document_.predictors || []).map(row => ({...row, name: [row.predictor, row.inputs, row.selection].filter(text => text).join(", ")}));
  const found = rows.filter(row => row.held_out && row.held_out.mape_percent < MOST_PERCENT);
  intervalPlot(section, {name: "baselines", title: "Error of each predictor on measurements that it has not seen", unit: "MAPE, %",
    about: `The axis is logarithmic. Errors on what a predictor was taught, and those above ${number(MOST_PERCENT)} %, stand in the table.`,
    rows: found.map(row => ({name: row.name, value: row.held_out.mape_percent}))});
  table(section, "Predictors", rows, columnsOf(document_.predictors || []));
}

function sectionOfValidations(section, document_) {
  const boards = document_.validations || document_.boards || [];
  const unit = [...new Set(boards.map(board => board.unit))].join(", ");
  accuracyOf(section, [].concat(...boards.map(board => (board.kernels || []).map(kernel => ({...kernel, series: board.board})))),
    unit, boards.map(board => board.board), "accuracy");
  table(section, "Boards", boards, columnsOf(boards));
  for (const board of boards) table(section, `Kernels of ${board.board}`, board.kernels || [], columnsOf(board.kernels || []));
}
