// Money: the text of a chosen file of confirmations is put into the form, where it can be read before it is sent.

const input = /** @type {HTMLInputElement | null} */ (document.getElementById("c-file"));
const text = /** @type {HTMLTextAreaElement | null} */ (document.getElementById("c-text"));

input?.addEventListener("change", async () => {
  const [file] = input.files ?? [];
  if (file && text) text.value = await file.text();
});

export {};
