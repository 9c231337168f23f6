/** From the story to the panel: the tree, whenever it changes. */
export const TREE_CHANGED = 'slipway/accessibility/treeChanged';

/** From the panel, which has just opened, to the story. */
export const TREE_ASKED = 'slipway/accessibility/treeAsked';

/** What comes with {@link TREE_CHANGED}. */
export interface TreeChanged {
  storyId: string;
  nodes: TreeNode[];
}

/** From the panel to the story: the selector of the element to mark, or none. */
export const POINT_AT = 'slipway/accessibility/pointAt';

/** From the story to the panel: the focus is to go there. */
export const STORY_LEFT = 'slipway/accessibility/storyLeft';

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
