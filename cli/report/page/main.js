// Puts the page together: a section for each document, in their order.

// What a schema's documents are called, and what draws them. Others show their lists as tables.
const SECTIONS = {
  "reassemble.simulate/1": ["Prediction", sectionOfSimulate],
  "reassemble.rank/1": ["Ranking", sectionOfRank],
  "reassemble.validate/1": ["Accuracy", sectionOfValidate],
  "reassemble.validations/1": ["Accuracy on several boards", sectionOfValidations],
  "reassemble.baseline/1": ["Baselines", sectionOfBaseline],
  "reassemble.tune/1": ["Tuning", sectionOfTune],
  "reassemble.dse/1": ["Sweep", sectionOfDse],
  "reassemble.timeline/1": ["Timeline", sectionOfTimeline],
  "reassemble.run/1": ["Program", sectionOfRun],
  "reassemble.run-timeline/1": ["Timeline of a program", sectionOfRunTimeline],
  "reassemble.draw/1": ["Executed frames", sectionOfDraw],
  "reassemble.frame/1": ["Frame", sectionOfFrame],
  "reassemble.params/1": ["Parameters", sectionOfParams],
  "reassemble.info/1": ["Statistics of traces", sectionOfInfo],
};

// Undoes what the program does to lists of objects with the same keys (pack.h): {"#keys": [...], "#rows": [[...], ...]}.
function unpack(value) {
  if (Array.isArray(value)) return value.map(unpack);
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value["#keys"]) && Array.isArray(value["#rows"])) {
    return value["#rows"].map(row => unpackRow(value["#keys"], row));
  }
  const made = {};
  for (const key of Object.keys(value)) made[key] = unpack(value[key]);
  return made;
}

// A key that is a list is that of an object, [key, its keys ...].
function unpackRow(keys, row) {
  const made = {};
  keys.forEach((key, i) => {
    if (Array.isArray(key)) made[key[0]] = unpackRow(key.slice(1), row[i]);
    else made[key] = unpack(row[i]);
  });
  return made;
}

function titleOf({document: document_, kind}) {
  const [what] = SECTIONS[document_.schema] || [kind[0].toUpperCase() + kind.slice(1)];
  const of = [document_.sweep, document_.board, document_.gpu && `on ${document_.gpu}`].filter(text => typeof text === "string");
  return [what, ...of].join(" · ").replace(" · on ", " on ");
}

// A document of the right schema may still hold anything; what cannot be drawn is said, and the other sections follow.
function drawSafely(section, draw, document_, all) {
  try {
    draw(section, document_, all);
  } catch (error) {
    element(section, "p", "failed", `The rest of this document cannot be shown, because a member is not what its schema says: ${error.message}`);
  }
}

function main() {
  const page = document.getElementById("page");
  const all = JSON.parse(document.getElementById("documents").textContent)
    .map(entry => ({...entry, document: unpack(entry.document)}));
  const titles = all.map(titleOf);
  const heading = titles.length === 1 ? titles[0] : `${titles.length} results`;
  document.title = `${heading} · reassemble report`;
  element(page, "h1", "", heading);
  const version = document.querySelector("meta[name=generator]").content;
  element(page, "p", "soft", `Made by ${version} from ${all.map(entry => entry.path).join(", ")}`);
  if (all.length > 1) {
    const list = element(element(page, "nav"), "ul");
    titles.forEach((title, i) => {
      element(element(list, "li"), "a", "", title).href = `#document-${i}`;
    });
  }
  all.forEach((entry, i) => {
    const section = element(page, "section");
    section.id = `document-${i}`;
    if (all.length > 1) element(section, "h2", "", titles[i]);
    if (entry.note) element(section, "p", "", entry.note);
    const [, draw] = SECTIONS[entry.document.schema] || ["", sectionOfAny];
    drawSafely(section, draw, entry.document, all);
    provenance(section, entry);
  });
  followWidth();
  document.documentElement.dataset.drawn = "yes";
}

main();
