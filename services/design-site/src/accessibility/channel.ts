import type { TreeNode } from './tree/TreeNode.ts';

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
