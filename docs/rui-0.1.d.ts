// RUI 0.1: `rui schema --typescript` writes these types.

/** A whole app: its version, what it is called, its navigation and its pages. */
export interface RUI {
  /** The version of the vocabulary that the document is written in. */
  version: "0.1";
  /** What the app is called and what it is for; may be empty. */
  meta: Meta;
  /** How a person reaches the pages. */
  navigation: Navigation;
  /** The screens of the app. */
  pages: Page[];
}

/** What the app is called and what it is for. */
export interface Meta {
  /** The name of the app. Suggested: a valid RUI may have any value here. */
  title?: string;
  /** What the app is for, in a sentence. Suggested: a valid RUI may have any value here. */
  description?: string;
  /** The id of the stored spec that this document replaces. Its page then shows first what changed since. Suggested: a valid RUI may have any value here. */
  replaces?: string;
  [name: string]: unknown;
}

/** How a person reaches the pages; every page is in it at least once. */
export interface Navigation {
  /** The entries, in the order in which they are shown. */
  items: NavigationItem[];
}

/** One screen of the app, with an address of its own. */
export interface Page {
  /** Names this node. Lowercase kebab-case, unique in the whole RUI; chosen by the author and kept for good. */
  id: string;
  /** Its type is `Page`. */
  type: "Page";
  /** The heading of the screen. */
  title: string;
  /** What the screen is for. */
  description?: string;
  /** The sections, from top to bottom. */
  children: Section[];
}

/** One entry of the app's navigation. */
export interface NavigationItem {
  /** The `id` of the page that it opens. */
  pageId: string;
  /** The text of the entry. Suggested: a valid RUI may have any value here. */
  label?: string;
  [name: string]: unknown;
}

/** Groups blocks, below each other or side by side. */
export interface Section {
  /** Names this node. Lowercase kebab-case, unique in the whole RUI; chosen by the author and kept for good. */
  id: string;
  /** Its type is `Section`. */
  type: "Section";
  /** The heading above the group. */
  title?: string;
  /** `stack` puts the blocks below each other, `row` side by side. */
  direction: "stack" | "row";
  /** The blocks, in the order in which they are shown. */
  children: (Metric | Table | Text)[];
}

/** A single number or text, such as a count or a state. */
export interface Metric {
  /** Names this node. Lowercase kebab-case, unique in the whole RUI; chosen by the author and kept for good. */
  id: string;
  /** Its type is `Metric`. */
  type: "Metric";
  /** The meaning of the value, in the words of the reader. */
  label: string;
  /** Where the value comes from; `valuePath` selects one scalar field of the response. */
  binding: ReadBinding & Required<Pick<ReadBinding, "valuePath">>;
  /** How to show the value. */
  format?: "number" | "text";
}

/** A list of rows with columns, optionally with a static filter. */
export interface Table {
  /** Names this node. Lowercase kebab-case, unique in the whole RUI; chosen by the author and kept for good. */
  id: string;
  /** Its type is `Table`. */
  type: "Table";
  /** The heading above the table. */
  title?: string;
  /** Where the rows come from; `valuePath` selects the row array of the response, and is left out only when the response itself is the array. */
  binding: ReadBinding;
  /** The columns, from left to right. */
  columns: Column[];
  /** Lets the reader narrow the rows by one column. */
  filter?: TableFilter;
}

/** Words that do not change: an explanation, a notice, a heading. They are plain text. */
export interface Text {
  /** Names this node. Lowercase kebab-case, unique in the whole RUI; chosen by the author and kept for good. */
  id: string;
  /** Its type is `Text`. */
  type: "Text";
  /** The words, as plain text: without Markdown, HTML and templates. */
  content: string;
}

/** Where a block's data comes from: a GET request and the place in its JSON response. */
export interface ReadBinding {
  /** The sort of binding. Version 0.1 only reads. */
  type: "read";
  /** The HTTP method. Version 0.1 only knows GET. */
  method: "GET";
  /** The path of the endpoint on the app's own API, starting with a slash. */
  path: string;
  /** The path of the value in the response: names joined by dots, such as `data.items`. A list endpoint usually returns an envelope: then name the property that contains the rows. */
  valuePath?: string;
}

/** One column of a table. */
export interface Column {
  /** The field of a row that the column shows: a name of one level, no path. Unique in the table. */
  key: string;
  /** The heading that a reader sees. Suggested: a valid RUI may have any value here. */
  label?: string;
  /** How to show the column's values. Suggested: a valid RUI may have any value here. */
  type?: "string" | "number" | "date" | "badge";
  [name: string]: unknown;
}

/** A static filter over one column of the table. Without options it is a free search. */
export interface TableFilter {
  /** The `key` of the column that is filtered. */
  field: string;
  /** What the filter is called. Suggested: a valid RUI may have any value here. */
  label?: string;
  /** The values to choose from. Suggested: a valid RUI may have any value here. */
  options?: FilterOption[];
  [name: string]: unknown;
}

/** One value that a table can be filtered by. */
export interface FilterOption {
  /** The value of the column that this option keeps. Suggested: a valid RUI may have any value here. */
  value?: string;
  /** The text of the option. Suggested: a valid RUI may have any value here. */
  label?: string;
  [name: string]: unknown;
}

/** Any block; its `type` tells which. */
export type Block = Metric | Table | Text;
