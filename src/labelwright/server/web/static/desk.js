// The requester's pages: draws charts from their specifications and keeps a running study up to date.
// Expressions of a chart are interpreted, never compiled, so that no page needs `unsafe-eval`.

const VENDOR = new URL("vendor", import.meta.url).href;
const REFRESH_SECONDS = 5;
const dark = matchMedia("(prefers-color-scheme: dark)");

const script = (src) =>
  new Promise((resolve, reject) => {
    document.head.append(Object.assign(document.createElement("script"), { src, onload: resolve, onerror: reject }));
  });

async function load() {
  await script(`${VENDOR}/vega.min.js`);
  await script(`${VENDOR}/vega-lite.min.js`);
  return (await import(`${VENDOR}/vega-interpreter.js`)).expressionInterpreter;
}

let libraries;
async function draw() {
  const places = [...document.querySelectorAll(".draw")];
  if (!places.length) return;
  const expr = await (libraries ??= load());
  for (const place of places) {
    const specs = JSON.parse(document.getElementById(place.id.replace("draw-", "")).textContent);
    const sized = { ...specs[dark.matches ? "dark" : "light"], width: place.clientWidth, autosize: { type: "fit-x", contains: "padding" } };
    const container = document.createElement("div");
    const view = new vega.View(vega.parse(vegaLite.compile(sized, { logger: vega.logger(vega.Error) }).spec, null, { ast: true }), { expr, renderer: "svg", container });
    await view.runAsync();
    // The figure says what it shows; the lines inside are not for a screen reader.
    container.firstElementChild?.setAttribute("aria-hidden", "true");
    // The old picture stays until the new one is there, so that nothing jumps.
    place.replaceChildren(container);
  }
}

// A study that is looked at is asked for again; what is open stays open, and nobody who types is disturbed.
async function refresh() {
  const main = document.getElementById("main");
  if (document.hidden || main.contains(document.activeElement)) return;
  const response = await fetch(location.href).catch(() => null);
  if (!response?.ok || response.redirected) return;
  const fresh = new DOMParser().parseFromString(await response.text(), "text/html").getElementById("main");
  if (!fresh || fresh.innerHTML === shown) return;
  shown = fresh.innerHTML;
  for (const details of main.querySelectorAll("details[open]")) fresh.querySelector(`#${details.id}`)?.setAttribute("open", "");
  for (const place of main.querySelectorAll(".draw")) fresh.querySelector(`#${place.id}`)?.replaceChildren(...place.childNodes);
  main.replaceChildren(...fresh.childNodes);
  await draw();
}

// One after the other: a slow answer must not pile up requests.
async function watch() {
  await new Promise((resolve) => setTimeout(resolve, REFRESH_SECONDS * 1000));
  await refresh().catch(() => null);
  watch();
}

let shown = document.getElementById("main")?.innerHTML;
await draw();
document.documentElement.dataset.ready = "";
dark.addEventListener("change", draw);
addEventListener("resize", () => {
  clearTimeout(resizing);
  resizing = setTimeout(draw, 150);
});
let resizing;
if (document.getElementById("main")?.dataset.live !== undefined) watch();
