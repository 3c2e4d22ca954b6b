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

// The single values of a document, with those of objects that hold only such: who made it, of what, with which digests.
function provenanceOf(document_) {
  const facts = [];
  const add = (object, prefix) => {
    for (const key of Object.keys(object)) {
      const value = object[key];
      if (value === null || typeof value !== "object") facts.push([prefix + key.replace(/_/g, " "), cellText(value)]);
      else if (Array.isArray(value) ? value.length <= 8 && value.every(item => item === null || typeof item !== "object") : false)
        facts.push([prefix + key.replace(/_/g, " "), cellText(value)]);
      else if (["provenance", "plan", "otherData"].includes(key)) add(value, key + ": ");
    }
  };
  add(document_, "");
  return facts;
}

function provenance(section, document_, path) {
  const made = element(section, "details", "provenance");
  element(made, "summary", "soft", "Provenance of these numbers");
  const body = element(element(element(made, "div", "scroll"), "table"), "tbody");
  for (const [label, value] of [["file", path], ...provenanceOf(document_)]) {
    const row = element(body, "tr");
    element(row, "th", "", label);
    element(row, "td", "", value);
  }
}
