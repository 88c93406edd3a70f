// The requester's pages: draws charts from their specifications and refreshes the page of a running study.
// Chart expressions are interpreted, not compiled, so that no page needs `unsafe-eval`.

import { remember } from "./downloads.js";
import "./frame.js";
import "./tables.js";

const VENDOR = new URL("vendor", import.meta.url).href;
const BUSY_SECONDS = 2;
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
  // A chart inside closed details has no width; it is drawn when they open.
  const places = [...document.querySelectorAll(".draw")].filter((place) => place.clientWidth);
  if (!places.length) return;
  const expr = await (libraries ??= load());
  for (const place of places) {
    const specs = JSON.parse(document.getElementById(place.id.replace("draw-", "")).textContent);
    const sized = { ...specs[dark.matches ? "dark" : "light"], width: place.clientWidth, autosize: { type: "fit-x", contains: "padding" } };
    const container = document.createElement("div");
    const view = new vega.View(vega.parse(vegaLite.compile(sized, { logger: vega.logger(vega.Error) }).spec, null, { ast: true }), { expr, renderer: "svg", container });
    await view.runAsync();
    // The figure has its own description; screen readers skip the drawing.
    container.firstElementChild?.setAttribute("aria-hidden", "true");
    // The old chart stays until the new one is ready, so that the page does not jump.
    place.replaceChildren(container);
    remember(place.id, view);
  }
}

// Refreshes a page whose figures have changed. Open details stay open, and nothing changes while a control in the page
// has the focus. Returns the seconds after which a busy server wants to be asked again, if it is busy.
async function refresh() {
  const main = document.getElementById("main");
  if (main.contains(document.activeElement)) return 0;
  const response = await fetch(location.href, { headers: { "If-None-Match": main.dataset.live } }).catch(() => null);
  if (response?.status === 503) return Number(response.headers.get("Retry-After")) || BUSY_SECONDS;
  if (!response?.ok || response.redirected) return 0;
  const fresh = new DOMParser().parseFromString(await response.text(), "text/html").getElementById("main");
  if (!fresh) return 0;
  Object.assign(main.dataset, fresh.dataset);
  for (const details of main.querySelectorAll("details[open]")) fresh.querySelector(`#${details.id}`)?.setAttribute("open", "");
  for (const place of main.querySelectorAll(".draw")) fresh.querySelector(`#${place.id}`)?.replaceChildren(...place.childNodes);
  main.replaceChildren(...fresh.childNodes);
  await draw();
  return 0;
}

const pause = (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));

// A page in a background tab asks for nothing until somebody looks at it again.
const visible = () =>
  new Promise((resolve) => {
    const look = () => {
      if (document.hidden) return;
      document.removeEventListener("visibilitychange", look);
      resolve(null);
    };
    document.addEventListener("visibilitychange", look);
    look();
  });

// One request at a time, so that slow responses do not pile up.
async function watch() {
  const main = document.getElementById("main");
  let busySeconds = 0;
  for (;;) {
    await pause(busySeconds || Number(main.dataset.refreshSeconds));
    await visible();
    busySeconds = await refresh().catch(() => 0);
  }
}

await draw();
document.documentElement.dataset.ready = "";
dark.addEventListener("change", draw);
// The event does not bubble.
document.addEventListener("toggle", (event) => event.target instanceof Element && event.target.querySelector(".draw") && draw(), true);
addEventListener("resize", () => {
  clearTimeout(resizing);
  resizing = setTimeout(draw, 150);
});
let resizing;
if (document.getElementById("main")?.dataset.live !== undefined) watch();
