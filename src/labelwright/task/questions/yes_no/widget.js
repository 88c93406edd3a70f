// Yes or no: true or false.
import { choose, chosen } from "../shared/choosing.js";
export { chooseByKey as key } from "../shared/choosing.js";

export function read(root) {
  const code = chosen(root);
  return code === null ? null : code === 1;
}

export function write(root, value) {
  choose(root, value === null ? null : Number(value));
}
