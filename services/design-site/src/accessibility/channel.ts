/** Event from the story to the panel: the accessibility tree changed. */
export const TREE_CHANGED = 'slipway/accessibility/treeChanged';

/** Event from the panel to the story when the panel opens: requests the tree. */
export const TREE_ASKED = 'slipway/accessibility/treeAsked';

/** Payload of {@link TREE_CHANGED}. */
export interface TreeChanged {
  storyId: string;
  nodes: TreeNode[];
}

/**
 * Event from the panel to the story: highlights the element with the given selector, or
 * clears the highlight.
 */
export const POINT_AT = 'slipway/accessibility/pointAt';

/** Event from the story to the panel: moves the focus to the panel. */
export const STORY_LEFT = 'slipway/accessibility/storyLeft';

/** A node of the accessibility tree, with its children. */
export interface TreeNode {
  /**
   * Stable while the element keeps its place, so that a view can use it to keep state.
   */
  key: string;
  /** ARIA role, or `text` for text outside of any other role. */
  role: string;
  /** Accessible name; for `text`, the text. */
  name: string;
  description: string;
  /** States and properties, e.g. `checked`, `expanded: false`, `level 2`. */
  states: readonly string[];
  /** CSS selector of the element in its document. */
  selector: string;
  children: readonly TreeNode[];
}
