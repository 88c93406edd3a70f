// A number as people write it: with a comma or a point, in the decimal digits of any script.
const ZEROS = [0x0660, 0x06f0, 0x0966, 0x09e6, 0xff10];

function plain(text) {
  const digits = [...text].map((character) => {
    const point = character.codePointAt(0);
    const zero = ZEROS.find((first) => point >= first && point < first + 10);
    return zero === undefined ? character : String(point - zero);
  });
  return digits.join("").replace(/[,٫]/, ".").replace("−", "-").trim();
}

// Invalid numbers are sent as typed, so that the server can explain the error next to the question.
export function read(root) {
  const text = root.querySelector("input").value.trim();
  if (!text) return null;
  const number = Number(plain(text));
  return Number.isFinite(number) ? number : text;
}

export function write(root, value) {
  root.querySelector("input").value = value ?? "";
}

// Number keys are typed into the field.
export function key() {
  return false;
}
