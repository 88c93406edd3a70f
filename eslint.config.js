// Lints our own scripts; types are checked by tsc. Only rules that find mistakes, none of taste.
const browser = Object.fromEntries(
  [
    "clearInterval", "clearTimeout", "CSS", "CustomEvent", "document", "Event", "fetch", "FormData", "getComputedStyle",
    "Highlight", "HTMLElement", "HTMLInputElement", "IntersectionObserver", "localStorage", "location", "matchMedia",
    "MutationObserver", "navigator", "Node", "NodeFilter", "performance", "queueMicrotask", "Range",
    "requestAnimationFrame", "ResizeObserver", "sessionStorage", "setInterval", "setTimeout", "StaticRange", "URL",
    "URLSearchParams", "vega", "vegaLite", "window", "crypto", "AbortController", "AbortSignal", "Intl", "DOMParser",
    "addEventListener", "innerHeight", "innerWidth", "scrollBy", "scrollTo", "history", "getSelection", "structuredClone",
    "Element", "DOMRect", "KeyboardEvent", "console",
  ].map((name) => [name, "readonly"]),
);

export default [
  { ignores: ["**/vendor/**"] },
  {
    files: ["src/labelwright/**/*.js"],
    languageOptions: { ecmaVersion: 2024, sourceType: "module", globals: browser },
    rules: {
      "array-callback-return": "error",
      "constructor-super": "error",
      "eqeqeq": "error",
      "getter-return": "error",
      "no-cond-assign": ["error", "except-parens"],
      "no-const-assign": "error",
      "no-constant-binary-expression": "error",
      "no-dupe-args": "error",
      "no-dupe-else-if": "error",
      "no-dupe-keys": "error",
      "no-duplicate-case": "error",
      "no-fallthrough": "error",
      "no-func-assign": "error",
      "no-import-assign": "error",
      "no-self-assign": "error",
      "no-self-compare": "error",
      "no-sparse-arrays": "error",
      "no-undef": "error",
      "no-unreachable": "error",
      "no-unsafe-negation": "error",
      "no-unsafe-optional-chaining": "error",
      "no-unused-vars": "error",
      "no-useless-assignment": "error",
      "no-var": "error",
      "prefer-const": "error",
      "use-isnan": "error",
      "valid-typeof": "error",
    },
  },
];
