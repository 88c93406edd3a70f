// A new study from files of this computer: the study file creates it, and the others become its corpus.

import { reason, upload } from "./requests.js";

const form = /** @type {HTMLFormElement} */ (document.getElementById("from-file"));
const input = /** @type {HTMLInputElement} */ (document.getElementById("files"));
const error = /** @type {HTMLElement} */ (form.querySelector("[role=alert]"));

function tell(text) {
  error.textContent = text;
  error.hidden = !text;
}

async function create(files) {
  tell("");
  const study = files.find((file) => /\.ya?ml$/i.test(file.name));
  if (!study) return tell("None of these files is a study file. Expected a file that ends in .yaml, such as study.yaml.");
  const sent = new FormData(form);
  sent.set("text", await study.text());
  const response = await fetch(form.action, { method: "POST", body: sent });
  if (!response.ok || !response.redirected) return tell(await reason(response));
  for (const file of files.filter((each) => each !== study)) {
    const kept = await upload(response.url, file);
    if (!kept.ok) return tell(`${await reason(kept)} The study was created without this file.`);
  }
  location.assign(response.url);
}

input.addEventListener("change", () => create([...input.files]));
form.addEventListener("dragover", (event) => event.preventDefault());
form.addEventListener("drop", (event) => {
  event.preventDefault();
  create([...event.dataTransfer.files]);
});
