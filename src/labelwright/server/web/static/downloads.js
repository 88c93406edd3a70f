// Downloads of a chart: the drawing as SVG or PNG, and its table as CSV. Nothing is sent to the server.

const SCALE = 2;
const views = new Map();

/** Keeps the drawn chart, so that it can be downloaded as it is shown. */
export const remember = (id, view) => views.set(id, view);

const quoted = (text) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

function csv(figure) {
  const rows = [...figure.querySelectorAll("table tr")];
  return rows.map((row) => [...row.cells].map((cell) => quoted(cell.textContent.trim())).join(",")).join("\r\n");
}

const blob = (text, type) => URL.createObjectURL(new Blob([text], { type }));

async function address(figure, format) {
  if (format === "csv") return blob(csv(figure), "text/csv");
  const view = views.get(`draw-${figure.dataset.chart}`);
  if (!view) return null;
  if (format === "svg") return blob(await view.toSVG(), "image/svg+xml");
  return (await view.toCanvas(SCALE)).toDataURL("image/png");
}

document.addEventListener("click", async (event) => {
  const button = event.target instanceof Element && event.target.closest("[data-download]");
  if (!(button instanceof HTMLElement)) return;
  const figure = button.closest("[data-chart]");
  const href = figure instanceof HTMLElement && (await address(figure, button.dataset.download));
  if (!href) return;
  Object.assign(document.createElement("a"), { href, download: `${figure.dataset.chart}.${button.dataset.download}` }).click();
});
