/** What assistive technology is told of one element, with what is inside it. */
export interface TreeNode {
  /** Stays the same while the element keeps its place, so that a view can remember it. */
  key: string;
  /** An ARIA role, or `text` for words that stand by themselves. */
  role: string;
  /** Accessible name; the words themselves for `text`. */
  name: string;
  description: string;
  /** The states and properties, e.g. `checked`, `expanded: false`, `level 2`. */
  states: readonly string[];
  /** Finds the element in its document. */
  selector: string;
  children: readonly TreeNode[];
}
