// What the scripts of our pages share, for `tsc --checkJs` and for readers; no browser loads it.

/** A question on a page: its fieldset, with its type, name and position in `data-` attributes. */
type Question = HTMLFieldSetElement;

/** What the module `widget.js` of a question type exports. Answers are JSON; null stands for none. */
interface Widget {
  /** The answer as it is sent. */
  read(question: Question): any;
  /** Shows an answer, or empties the question. */
  write(question: Question, answer: unknown): void;
  /** Takes a number key; whether the question is answered by it, so that the next one follows. */
  key(question: Question, pressed: string): boolean;
  /** After every change of a control. */
  changed?(question: Question, control: EventTarget): void;
  /** Whether nothing is missing, where an answer has several parts. */
  whole?(question: Question): boolean;
  /** How many of its parts are done. */
  count?(question: Question): { done: number; all: number };
  /** Where to go on. */
  focus?(question: Question): void;
}

/** Answers as they are sent: by position of the item, then by name of the question. */
type Answers = Record<string, Record<string, unknown>>;

/** What is wrong with an answer, in the language of the page. */
interface Problem {
  position: number | null;
  question: string | null;
  message: string;
}

/** A part of a text: begin and end, half-open, in UTF-16 units. */
type Stretch = [start: number, end: number];

/** Values that a sentence of the template takes at its {names}. */
type Values = Record<string, string | number>;

// The templates and the scripts are written together, so an element that a script looks up is there and of its kind;
// the browser tests show it. The same for events: those that we listen to come from elements.
interface ParentNode {
  querySelector(selectors: string): any;
  querySelectorAll(selectors: string): NodeListOf<any>;
}
interface Element {
  closest(selectors: string): any;
}
interface EventTarget {
  closest: any;
  matches: any;
  isConnected: any;
  checked: any;
  disabled: any;
  type: any;
  value: any;
}

/** The chart libraries, which are loaded as plain scripts. */
declare const vega: any;
declare const vegaLite: any;
