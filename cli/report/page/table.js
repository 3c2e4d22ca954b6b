// Tables that are sorted by a click on a column's title, searched, and shown in parts where they are long.

const ROWS_SHOWN = 50;

// Returns the value of "a.b" in an object.
function member(row, key) {
  return key.split(".").reduce((value, part) => value === null || value === undefined ? undefined : value[part], row);
}

// Returns a value as a cell's text.
function cellText(value) {
  if (typeof value === "number") return number(value);
  if (value === null || value === undefined) return "–";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value) && value.every(item => item === null || typeof item !== "object"))
    return value.map(cellText).join(", ");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function intervalText(value) {
  return Array.isArray(value) ? value.map(cellText).join(" to ") : cellText(value);
}

// Returns the columns that rows have, [{key, title}]; members of members have keys with a dot. Lists of objects are left out.
function columnsOf(rows) {
  const keys = new Map();
  const add = (row, prefix) => {
    for (const key of Object.keys(row)) {
      const value = row[key];
      if (value !== null && typeof value === "object" && !Array.isArray(value)) add(value, prefix + key + ".");
      else if (!(Array.isArray(value) && value.some(item => item !== null && typeof item === "object")))
        keys.set(prefix + key, true);
    }
  };
  for (const row of rows.slice(0, 20)) add(row, "");
  return [...keys.keys()].map(key => ({key, title: key.replace(/_/g, " ").replace(/\./g, ": "), text: /interval$/.test(key) ? intervalText : undefined}));
}

function compare(a, b) {
  const none = value => value === null || value === undefined;
  if (none(a) || none(b)) return none(a) - none(b);
  if (typeof a === "number" && typeof b === "number") return a - b;
  return cellText(a).localeCompare(cellText(b), "en", {numeric: true});
}

// Adds a table of objects. A column is {key, title, value(row), text(value, row), bar}; only `key` or `value` is needed.
function table(parent, title, rows, columns) {
  const state = {column: null, direction: 1, all: false, words: ""};
  const valueOf = (column, row) => column.value ? column.value(row) : member(row, column.key);
  const textOf = (column, row) => column.text ? column.text(valueOf(column, row), row) : cellText(valueOf(column, row));
  const isNumber = column => rows.some(row => typeof valueOf(column, row) === "number");
  columns = columns.filter(column => rows.some(row => valueOf(column, row) !== undefined));

  const frame = element(parent, "figure", "tabular");
  element(element(frame, "figcaption"), "h3", "", title);
  const controls = element(frame, "div", "controls");
  const made = element(element(frame, "div", "scroll"), "table");
  const head = element(element(made, "thead"), "tr");
  const body = element(made, "tbody");
  const heads = columns.map(column => {
    const cell = element(head, "th", isNumber(column) ? "number" : "");
    const button = element(cell, "button", "", column.title || column.key);
    button.tabIndex = 0;
    button.onclick = () => {
      state.direction = state.column === column ? -state.direction : 1;
      state.column = column;
      show();
    };
    button.onkeydown = event => { if (event.key === "Enter") button.onclick(); };
    return cell;
  });
  let more = null, count = null;
  if (rows.length > ROWS_SHOWN) {
    const search = element(controls, "input");
    search.type = "search";
    search.placeholder = "Search";
    search.setAttribute("aria-label", "Search in " + title);
    search.oninput = () => { state.words = search.value.toLowerCase(); show(); };
    count = element(controls, "span", "soft");
    more = element(controls, "button", "", "Show all rows");
    more.onclick = () => { state.all = true; show(); };
  }

  function chosen() {
    let list = rows;
    if (state.words) list = list.filter(row => columns.some(column => textOf(column, row).toLowerCase().includes(state.words)));
    if (state.column)
      list = list.slice().sort((a, b) => state.direction * compare(valueOf(state.column, a), valueOf(state.column, b)));
    return list;
  }

  function show() {
    heads.forEach((cell, i) => {
      if (columns[i] !== state.column) cell.removeAttribute("aria-sort");
      else cell.setAttribute("aria-sort", state.direction > 0 ? "ascending" : "descending");
    });
    const list = chosen();
    const shown = state.all ? list : list.slice(0, ROWS_SHOWN);
    body.textContent = "";
    for (const row of shown) {
      const line = element(body, "tr");
      for (const column of columns) {
        const cell = element(line, "td", column.className || (isNumber(column) ? "number" : ""));
        if (column.cell) column.cell(cell, row);
        else cell.textContent = textOf(column, row);
      }
    }
    if (more) {
      count.textContent = `${number(shown.length)} of ${number(list.length)} rows`;
      more.hidden = shown.length === list.length;
    }
  }
  show();
  return made;
}
