// The editor of a study file: line numbers and colours behind a plain text field, problems as one types, the meaning of
// the field at the cursor, the preview, and the plan. Nothing of this is stored until somebody saves.

import "./frame.js";
import { reason, token, upload } from "./requests.js";

const CHECK_MS = 300;
const PLAN_MS = 700;
const LAPTOP_WIDTH = 1280;

const byId = (id) => document.getElementById(id);
const form = /** @type {HTMLFormElement} */ (byId("edit"));
const area = /** @type {HTMLTextAreaElement} */ (byId("text"));
const numbered = document.querySelector(".code ol");
const root = new URL(form.action).pathname;
const saved = area.value;
const PLACE = `editor-place-${root}`;

// -- the text -------------------------------------------------------------------------------------

const span = (kind, text) => Object.assign(document.createElement("span"), { className: kind, textContent: text });

const LINE = /^(\s*(?:- +)*)("[^"]*"|'[^']*'|[^\s#:'"{}[\],][^\s:#{}[\],]*)?(:(?=\s|$))?(.*)$/;
function coloured(line) {
  const [, lead, word = "", colon = "", rest] = LINE.exec(line) ?? [null, "", "", "", line];
  const [, value, comment] = /^(.*?)((?:^|\s)#.*)?$/.exec(colon ? rest : word + rest) ?? [null, line, ""];
  const kind = /^\s*(-?\d[\d.]*|true|false)\s*$/.test(value) ? "v" : colon ? "s" : "";
  return [lead, ...(colon ? [span("k", word), colon] : []), span(kind, value), ...(comment ? [span("cm", comment)] : [])];
}

let painted = [];
function paint() {
  const lines = area.value.split("\n");
  while (numbered.children.length > lines.length) numbered.lastElementChild.remove();
  lines.forEach((line, at) => {
    const present = numbered.children[at] ?? numbered.appendChild(document.createElement("li"));
    if (painted[at] === line && present.firstChild) return;
    const text = document.createElement("span");
    text.append(...coloured(line));
    // An empty line has the height of a line too.
    if (!line) text.append("\u200b");
    present.replaceChildren(text);
  });
  painted = lines;
  byId("lines").textContent = String(lines.length - Number(area.value.endsWith("\n")));
}

function mark(problems) {
  [...numbered.children].forEach((li) => (li.className = ""));
  for (const one of problems) {
    const li = numbered.children[one.line - 1];
    if (li && li.className !== "er") li.className = one.mistake ? "er" : "wa";
  }
}

const startOf = (line) => painted.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0);

function go(line) {
  const start = startOf(line);
  area.focus({ preventScroll: true });
  area.setSelectionRange(start, start + (painted[line - 1]?.length ?? 0));
  numbered.children[line - 1]?.scrollIntoView({ block: "center" });
}

function replace(line, wrong, right) {
  const start = startOf(line) + painted[line - 1].indexOf(wrong);
  area.focus();
  area.setSelectionRange(start, start + wrong.length);
  // Keeps the change in the history of the text field, so that Ctrl+Z takes it back.
  if (!document.execCommand("insertText", false, right)) area.setRangeText(right);
  changed();
}

// -- problems -------------------------------------------------------------------------------------

/** @type {{ line: number, what: string, mistake: boolean, wrong: string, right: string }[]} */
let ofText = [];
let ofCorpus = [];
let fields = {};

const problems = () => [...ofText, ...ofCorpus].toSorted((a, b) => a.line - b.line);
const firstMistake = () => problems().find((one) => one.mistake);

function item(one) {
  const li = /** @type {HTMLElement} */ (/** @type {HTMLTemplateElement} */ (byId("problem")).content.firstElementChild.cloneNode(true));
  const [icon, line, what] = li.children;
  li.className = one.mistake ? "er" : "wa";
  icon.className = one.mistake ? "bad" : "warn";
  icon.querySelector(".vh").textContent = one.mistake ? "Mistake" : "Warning";
  line.textContent = `Line ${one.line}`;
  /** @type {HTMLElement} */ (line).dataset.line = String(one.line);
  what.textContent = one.what;
  if (one.wrong) {
    const repair = Object.assign(document.createElement("button"), { type: "button", className: "lnk", textContent: `Use “${one.right}”` });
    repair.addEventListener("click", () => replace(one.line, one.wrong, one.right));
    li.append(repair);
  }
  return li;
}

function list() {
  const found = problems();
  const none = /** @type {HTMLTemplateElement} */ (byId("no-problem")).content.cloneNode(true);
  byId("problems").replaceChildren(...(found.length ? found.map(item) : [none]));
  mark(found);
}

byId("problems").addEventListener("click", (event) => {
  const line = /** @type {HTMLElement} */ (event.target).closest("[data-line]");
  if (line) go(Number(/** @type {HTMLElement} */ (line).dataset.line));
});

function describe() {
  const line = area.value.slice(0, area.selectionStart).split("\n").length;
  const [name, text] = fields[line] ?? [];
  byId("meaning").replaceChildren(...(name ? [Object.assign(document.createElement("b"), { textContent: name }), ` ${text}`] : []));
}

// -- questions to the server ----------------------------------------------------------------------

const asking = {};
async function ask(what, more = {}) {
  asking[what]?.abort();
  asking[what] = new AbortController();
  const sent = new FormData();
  for (const [name, value] of Object.entries({ do: what, text: area.value, csrfmiddlewaretoken: token(), ...more })) sent.set(name, value);
  const response = await fetch(root, { method: "POST", body: sent, signal: asking[what].signal });
  if (!response.ok) throw new Error(await reason(response));
  return response.json();
}

async function check() {
  const found = await ask("check");
  ofText = found.problems;
  if (found.has_mistakes) ofCorpus = [];
  if (Object.keys(found.fields).length) fields = found.fields;
  list();
  describe();
  if (found.has_mistakes) {
    clearTimeout(timers.plan);
    asking.plan?.abort();
    note(byId("plan").children.length ? "As planned before this mistake." : "The plan is worked out once the file has no mistakes.");
  } else {
    offer(found.conditions);
    later("plan", () => plan(), PLAN_MS);
    show();
  }
}

async function plan(more = {}) {
  const found = await ask("plan", more);
  ofCorpus = found.problems;
  list();
  byId("plan").replaceChildren(
    ...found.figures.map((figure) => {
      const cell = document.createElement("div");
      cell.append(Object.assign(document.createElement("dt"), { textContent: figure.label }), Object.assign(document.createElement("dd"), { textContent: figure.value }));
      return cell;
    }),
  );
  note(found.large ? "The corpus is large." : found.figures.length ? "" : "The plan is worked out once the corpus can be read.");
  if (found.large) {
    const button = Object.assign(document.createElement("button"), { type: "button", className: "lnk", textContent: "Work out the plan" });
    button.addEventListener("click", () => quietly(plan({ anyway: "yes" })));
    byId("plan-note").append(" ", button);
  }
}

const note = (text) => (byId("plan-note").textContent = text);

// A request that a newer one replaced is no error.
const quietly = (promise) => promise.catch((error) => error.name === "AbortError" || note(error.message));

const timers = {};
function later(name, act, milliseconds) {
  clearTimeout(timers[name]);
  timers[name] = setTimeout(() => quietly(Promise.resolve(act())), milliseconds);
}

// -- preview --------------------------------------------------------------------------------------

const condition = /** @type {HTMLSelectElement} */ (byId("condition"));
const task = /** @type {HTMLInputElement} */ (byId("task"));
const preview = byId("preview");

function offer(conditions) {
  const wanted = ["Start page", ...conditions];
  if (wanted.join("\n") === [...condition.options].map((one) => one.textContent).join("\n")) return;
  const before = condition.value || "1";
  condition.replaceChildren(...wanted.map((name, at) => new Option(name, String(at))));
  condition.value = Number(before) < wanted.length ? before : "1";
}

let shown = 0;
// The rater's own page, in a new frame each time: a form that loads into a frame again would fill the browser's history.
function show() {
  shown += 1;
  const frame = Object.assign(document.createElement("iframe"), { name: `preview-${shown}`, title: "Preview of the rater’s page" });
  frame.className = "coming";
  preview.append(frame);
  fit();
  const sent = Object.assign(document.createElement("form"), { method: "post", action: root, target: frame.name, enctype: "multipart/form-data", hidden: true });
  const values = { do: "preview", text: area.value, condition: condition.value, task: task.value, view: condition.value === "0" ? "start" : "", csrfmiddlewaretoken: token() };
  for (const [name, value] of Object.entries(values)) {
    const field = document.createElement("textarea");
    Object.assign(field, { name, value });
    sent.append(field);
  }
  document.body.append(sent);
  sent.submit();
  sent.remove();
  frame.addEventListener("load", () => {
    if (frame.contentDocument?.URL === "about:blank") return;
    for (const old of [...preview.children]) if (old !== frame && !(old.className === "coming" && old.compareDocumentPosition(frame) & 2)) old.remove();
    frame.className = "";
  });
}

// A laptop's page is drawn in its own width and made smaller, so that it is what a laptop shows.
function fit() {
  const laptop = preview.classList.contains("laptop");
  const scale = preview.clientWidth / LAPTOP_WIDTH;
  for (const frame of preview.querySelectorAll("iframe")) {
    frame.style.transform = laptop ? `scale(${scale})` : "";
    frame.style.blockSize = laptop ? `${preview.clientHeight / scale}px` : "";
  }
}

condition.addEventListener("change", show);
task.addEventListener("change", () => task.reportValidity() && show());
document.querySelector("[data-size]").parentElement.addEventListener("click", (event) => {
  const size = /** @type {HTMLElement} */ (event.target).dataset.size;
  if (!size) return;
  for (const button of document.querySelectorAll("[data-size]")) button.setAttribute("aria-pressed", String(button === event.target));
  for (const place of [preview, document.querySelector(".ed")]) {
    place.classList.toggle("laptop", size === "laptop");
    place.classList.toggle("phone", size === "phone");
  }
  fit();
});
addEventListener("resize", fit);

// -- corpus ---------------------------------------------------------------------------------------

const chosen = /** @type {HTMLInputElement} */ (byId("upload"));
chosen.addEventListener("change", async () => {
  const error = byId("upload-error");
  error.hidden = true;
  const replacements = [];
  for (const file of chosen.files) {
    const response = await upload(root, file);
    if (response.ok) {
      const { files, replaced } = await response.json();
      if (replaced) replacements.push(`${file.name} replaced the file of the same name.`);
      byId("files").replaceChildren(...files.map(({ name, size }) => Object.assign(document.createElement("li"), { textContent: `${name}, ${size}` })));
      byId("corpus-size").textContent = `${files.length} file${files.length === 1 ? "" : "s"}`;
    } else {
      error.textContent = await reason(response);
      error.hidden = false;
    }
  }
  byId("upload-note").textContent = replacements.join(" ");
  chosen.value = "";
  quietly(check());
});

// -- saving ---------------------------------------------------------------------------------------

let leaving = false;
function changed() {
  paint();
  byId("saved").textContent = area.value === saved ? "" : "Not saved yet";
  later("check", check, CHECK_MS);
}

area.addEventListener("input", changed);
document.addEventListener("selectionchange", () => document.activeElement === area && describe());
addEventListener("beforeunload", (event) => {
  if (!leaving && area.value !== saved) event.preventDefault();
});
form.addEventListener("submit", (event) => {
  const verb = /** @type {HTMLButtonElement} */ (/** @type {SubmitEvent} */ (event).submitter)?.value;
  const wrong = verb === "save" ? null : firstMistake();
  if (wrong) {
    // Nothing is greyed out: with a mistake, the button leads to its line.
    event.preventDefault();
    go(wrong.line);
    return;
  }
  leaving = true;
  sessionStorage.setItem(PLACE, JSON.stringify([area.selectionStart, document.querySelector(".code").scrollTop]));
});
document.addEventListener("keydown", (event) => {
  if ((event.ctrlKey || event.metaKey) && event.key === "s") {
    event.preventDefault();
    /** @type {HTMLButtonElement} */ (document.querySelector(".plan [value=save]")).click();
  }
});

paint();
// After saving, everybody is where they were.
const [cursor, scrolled] = JSON.parse(sessionStorage.getItem(PLACE) ?? "[]");
sessionStorage.removeItem(PLACE);
if (cursor) {
  area.focus({ preventScroll: true });
  area.setSelectionRange(cursor, cursor);
  document.querySelector(".code").scrollTop = scrolled;
}
await quietly(check());
document.documentElement.dataset.ready = "";
