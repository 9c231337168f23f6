import type { TreeNode } from '../tree/TreeNode.ts';

/** A row of the tree as it is shown. */
export interface TreeRow {
  node: TreeNode;
  /** From 1. */
  level: number;
  parent: string | undefined;
  /** undefined: there is nothing inside. */
  isOpen: boolean | undefined;
  position: number;
  siblings: number;
}

/** The rows in sight, from top to bottom; what is inside closed ones is not. */
export function flattenTree(
  nodes: readonly TreeNode[],
  closed: ReadonlySet<string>,
  level = 1,
  parent?: string,
): TreeRow[] {
  return nodes.flatMap((node, index) => {
    const isOpen = node.children.length > 0 ? !closed.has(node.key) : undefined;
    return [
      {
        node,
        level,
        parent,
        isOpen,
        position: index + 1,
        siblings: nodes.length,
      },
      ...(isOpen
        ? flattenTree(node.children, closed, level + 1, node.key)
        : []),
    ];
  });
}

/**
 * The row that a key leads to, after the tree view pattern of the ARIA Authoring
 * Practices; undefined where the key does not move.
 */
export function rowAfterKey(
  rows: readonly TreeRow[],
  current: string | undefined,
  key: string,
): TreeRow | undefined {
  const index = rows.findIndex(({ node }) => node.key === current);
  const row = rows[index];
  switch (key) {
    case 'ArrowDown':
      return rows[index + 1];
    case 'ArrowUp':
      return rows[index - 1];
    case 'Home':
      return rows[0];
    case 'End':
      return rows.at(-1);
    case 'ArrowRight':
      return row?.isOpen ? rows[index + 1] : undefined;
    case 'ArrowLeft':
      return rows.find(({ node }) => node.key === row?.parent);
    default:
      return undefined;
  }
}
