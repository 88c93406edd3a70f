// Requests from the scripts of the requester's pages: with the token of a form of the page, and errors in words.

// What the server says about a request that failed: the sentence on its page.
export async function reason(response) {
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  return page.querySelector("main p")?.textContent ?? "That did not work. Reload the page and try again.";
}

export const token = () => /** @type {HTMLInputElement} */ (document.querySelector("[name=csrfmiddlewaretoken]")).value;

// Sends a file of the corpus. Its name is its path beside the study file; returns the answer of the server.
export function upload(root, file) {
  const path = file.name.split("/").map(encodeURIComponent).join("/");
  return fetch(`${root}/corpus/${path}`, { method: "POST", body: file, headers: { "Content-Type": "application/octet-stream", "X-CSRFToken": token() } });
}
