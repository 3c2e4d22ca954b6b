// What every document has: facts, and a table of each list of objects that no other section shows.

function factList(section, facts) {
  const list = element(section, "dl", "facts");
  for (const [label, value] of facts) {
    const fact = element(list, "div");
    element(fact, "dt", "", label);
    element(fact, "dd", "", value);
  }
}

function isRows(value) {
  return Array.isArray(value) && value.length > 0 && value.every(item => item !== null && typeof item === "object" && !Array.isArray(item));
}

function sectionOfAny(section, document_) {
  for (const key of Object.keys(document_))
    if (isRows(document_[key])) table(section, key.replace(/_/g, " "), document_[key], columnsOf(document_[key]));
}

// The single values of a document, and of objects in it that say where it comes from: who made it, of what, with which digests.
function provenanceOf(document_, prefix = "") {
  const facts = [];
  for (const [key, value] of Object.entries(document_)) {
    const single = item => item === null || typeof item !== "object", title = prefix + key.replace(/_/g, " ");
    if (single(value) || (Array.isArray(value) && value.length <= 8 && value.every(single))) facts.push([title, cellText(value)]);
    else if (["provenance", "plan", "otherData"].includes(key)) facts.push(...provenanceOf(value, `${title}: `));
    else if (prefix && isRows(value)) for (const row of value) facts.push([title, Object.values(row).filter(single).map(cellText).join(" ")]);
  }
  return facts;
}

function provenance(section, {document: document_, path, digest, run}) {
  const made = element(section, "details", "provenance");
  element(made, "summary", "soft", "Provenance of these numbers");
  const body = element(element(element(made, "div", "scroll"), "table"), "tbody");
  const facts = [["file", path], ["digest of the file", digest], ...provenanceOf(document_), ...(run ? provenanceOf(run, "run: ") : [])];
  for (const [label, value] of facts) {
    const row = element(body, "tr");
    element(row, "th", "", label);
    element(row, "td", "", value);
  }
}
