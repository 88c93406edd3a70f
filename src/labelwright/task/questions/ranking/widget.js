// A ranking: ranked rows come first, in their order; the others follow in page order.
// The list itself is the state: `data-placed` on a row, and `aria-pressed` of "=" for a tie with the row above.
/** @type {(root: Question) => HTMLElement[]} */
const rows = (root) => [...root.querySelectorAll(".ranked")];
const placed = (root) => rows(root).filter((row) => "placed" in row.dataset);
const tied = (row) => row.querySelector(".same")?.getAttribute("aria-pressed") === "true";
const tie = (row, on) => row.querySelector(".same")?.setAttribute("aria-pressed", String(on));
/** @type {WeakMap<Question, HTMLElement[]>} the rows of a question in their initial order */
const first = new WeakMap();

function original(root) {
  if (!first.has(root)) first.set(root, rows(root));
  return first.get(root);
}

function ranksOf(root) {
  const ranks = new Map();
  let rank = 0;
  for (const row of placed(root)) ranks.set(row, tied(row) && rank ? rank : ++rank);
  return ranks;
}

export function read(root) {
  const ranks = ranksOf(root);
  if (!ranks.size) return null;
  const answer = [];
  for (const row of rows(root)) answer[Number(row.dataset.index)] = ranks.get(row) ?? null;
  return answer;
}

export function write(root, value) {
  const rank = (row) => value?.[Number(row.dataset.index)] ?? null;
  const all = [...original(root)];
  for (const row of all) row.toggleAttribute("data-placed", rank(row) !== null);
  all.sort((a, b) => (rank(a) ?? Infinity) - (rank(b) ?? Infinity) || 0);
  all.forEach((row, i) => tie(row, i > 0 && rank(row) !== null && rank(row) === rank(all[i - 1])));
  draw(root, all);
}

export const whole = (root) => placed(root).length === rows(root).length;

export function focus(root) {
  const next = rows(root).find((row) => !("placed" in row.dataset)) ?? rows(root)[0];
  next.querySelector(".place").focus();
}

// Number keys choose a row by its initial number; returns true if it was the last one to rank.
export function key(root, pressed) {
  const row = original(root)[Number(pressed) - 1];
  if (!row || row.querySelector(".place").disabled) return false;
  toggle(root, row);
  return whole(root);
}

function toggle(root, row) {
  if ("placed" in row.dataset) delete row.dataset.placed;
  else row.dataset.placed = "";
  tie(row, false);
  const others = rows(root).filter((other) => other !== row && "placed" in other.dataset);
  const open = original(root).filter((other) => other !== row && !("placed" in other.dataset));
  const rest = "placed" in row.dataset ? [row, ...open] : original(root).filter((other) => !others.includes(other));
  // The last remaining row has only one place left.
  if ("placed" in row.dataset && open.length === 1) open[0].dataset.placed = "";
  settle(root, [...others, ...rest], row);
}

function move(root, row, by) {
  const order = rows(root);
  const from = order.indexOf(row);
  const other = order[from + by];
  if (!("placed" in row.dataset) || !other || !("placed" in other.dataset)) return;
  order[from] = other;
  order[from + by] = row;
  // A tie belongs to the gap between two ranks, so it stays there.
  const kept = tied(row);
  tie(row, tied(other));
  tie(other, kept);
  settle(root, order, row);
}

function settle(root, order, row) {
  const had = /** @type {HTMLElement} */ (document.activeElement);
  draw(root, order);
  if (root.contains(had)) had.focus(); // a moved row loses the focus
  const place = ranksOf(root).get(row);
  root.querySelector("[role=status]").textContent = (place ? root.dataset.sayPlaced : root.dataset.sayOpen)
    .replace("{letter}", row.dataset.letter)
    .replace("{place}", place)
    .replace("{count}", order.length);
  row.dispatchEvent(new Event("change", { bubbles: true }));
}

function draw(root, order) {
  root.querySelector(".ranks").append(...order);
  const ranks = ranksOf(root);
  const last = placed(root).length - 1;
  if (order.length) tie(order[0], false);
  order.forEach((row, i) => {
    const has = ranks.has(row);
    row.querySelector(".no").textContent = has ? ranks.get(row) : "";
    row.querySelector(".place").setAttribute("aria-pressed", String(has));
    row.querySelector(".moves").hidden = !has;
    row.querySelector(".up").setAttribute("aria-disabled", String(i === 0));
    row.querySelector(".down").setAttribute("aria-disabled", String(i === last));
    row.querySelector(".same")?.setAttribute("aria-disabled", String(i === 0));
  });
}

function press(button) {
  const row = button.closest(".ranked");
  const root = button.closest(".q");
  if (button.matches(".place")) toggle(root, row);
  else if (button.matches("[aria-disabled=true]")) return;
  else if (button.matches(".up")) move(root, row, -1);
  else if (button.matches(".down")) move(root, row, 1);
  else {
    tie(row, !tied(row));
    settle(root, rows(root), row);
  }
}

document.addEventListener("click", (event) => {
  const button = event.target.closest('[data-type="ranking"] button');
  if (button && !button.disabled) press(button);
});

document.addEventListener("keydown", (event) => {
  const row = event.target.closest?.('[data-type="ranking"] .ranked');
  const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
  if (!row || !by || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  if (!event.target.disabled) move(row.closest(".q"), row, by);
});
