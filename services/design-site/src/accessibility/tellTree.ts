import { addons } from 'storybook/preview-api';
import { POINT_AT, TREE_ASKED, TREE_CHANGED } from './channel.ts';
import { observeTree } from './tree/observeTree.ts';
import { pointAt } from './tree/pointAt.ts';
import type { TreeNode } from './tree/TreeNode.ts';

let storyId: string | undefined;
let nodes: TreeNode[] = [];
let stop: (() => void) | undefined;

/**
 * Tells the panel of the accessibility tree of a story that has been rendered; dialogs
 * stand outside the story's element, so the whole document counts.
 */
export function tellTree(id: string): void {
  stop?.();
  pointAt(undefined);
  storyId = id;
  stop = observeTree(document.body, current => {
    nodes = current;
    tell();
  });
}

/** Listens to the panel; once in the life of the preview. */
export function listenToPanel(): void {
  const channel = addons.getChannel();
  channel.on(TREE_ASKED, tell);
  channel.on(POINT_AT, (selector?: string) => pointAt(selector));
}

function tell(): void {
  if (storyId) {
    addons.getChannel().emit(TREE_CHANGED, { storyId, nodes });
  }
}
