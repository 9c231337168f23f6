// Storybook's manager bundle compiles JSX to `React.createElement`.
import * as React from 'react';
import type { TreeNode } from '../channel.ts';

const INDENT_PX = 16;

/** Shows the accessibility tree as an ARIA tree view. */
export function AccessibilityTree(props: {
  nodes: readonly TreeNode[];
  /** Highlights the element in the story; undefined clears the highlight. */
  onPoint(selector: string | undefined): void;
}) {
  const { nodes, onPoint } = props;
  const [closed, setClosed] = React.useState<ReadonlySet<string>>(new Set());
  const [chosen, setChosen] = React.useState<string>();
  const tree = React.useRef<HTMLUListElement>(null);
  const rows = flattenTree(nodes, closed);
  // If the selected node is gone, the first row keeps the tree reachable by keyboard.
  const current = rows.some(({ node }) => node.key === chosen)
    ? chosen
    : rows[0]?.node.key;

  const toggle = ({ node, isOpen }: TreeRow) =>
    setClosed(before => {
      const after = new Set(before);
      if (isOpen) {
        after.add(node.key);
      } else {
        after.delete(node.key);
      }
      return after;
    });
  const choose = (row: TreeRow) => {
    setChosen(row.node.key);
    onPoint(row.node.selector);
    const item = tree.current?.children[rows.indexOf(row)];
    (item as HTMLElement | undefined)?.focus();
  };
  const onKeyDown = (event: React.KeyboardEvent, row: TreeRow) => {
    const opens = event.key === 'ArrowRight' && row.isOpen === false;
    const closes = event.key === 'ArrowLeft' && row.isOpen === true;
    if (opens || closes || event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      if (row.isOpen !== undefined) {
        toggle(row);
      }
      return;
    }
    const next = rowAfterKey(rows, row.node.key, event.key);
    if (next) {
      event.preventDefault();
      choose(next);
    }
  };

  return (
    <ul
      ref={tree}
      role="tree"
      aria-label="Accessibility tree"
      className="slw-a11y-tree"
      onPointerLeave={() => onPoint(undefined)}
    >
      {rows.map(row => (
        <li
          key={row.node.key}
          role="treeitem"
          aria-level={row.level}
          aria-posinset={row.position}
          aria-setsize={row.siblings}
          aria-expanded={row.isOpen}
          aria-selected={row.node.key === chosen}
          tabIndex={row.node.key === current ? 0 : -1}
          style={{ paddingInlineStart: row.level * INDENT_PX }}
          onPointerEnter={() => onPoint(row.node.selector)}
          onFocus={() => onPoint(row.node.selector)}
          onBlur={() => onPoint(undefined)}
          onClick={() => {
            choose(row);
            if (row.isOpen !== undefined) {
              toggle(row);
            }
          }}
          onKeyDown={event => onKeyDown(event, row)}
        >
          <TreeLine row={row} />
        </li>
      ))}
    </ul>
  );
}

function TreeLine({ row: { node, isOpen } }: { row: TreeRow }) {
  const mark = isOpen ? '▾' : '▸';
  return (
    <>
      <span aria-hidden className="slw-a11y-mark">
        {isOpen === undefined ? '' : mark}
      </span>
      <span className="slw-a11y-role">{node.role}</span>
      {node.name && <span>“{node.name}”</span>}
      {node.states.map(state => (
        <code key={state}>{state}</code>
      ))}
      {node.description && (
        <span className="slw-a11y-hint">{node.description}</span>
      )}
    </>
  );
}

/** A visible row of the tree. */
interface TreeRow {
  node: TreeNode;
  /** Nesting depth, from 1. */
  level: number;
  parent: string | undefined;
  /** undefined if the node has no children. */
  isOpen: boolean | undefined;
  position: number;
  siblings: number;
}

/**
 * Returns the visible rows from top to bottom; children of collapsed rows are omitted.
 */
function flattenTree(
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
 * Returns the row that a key moves to, as in the tree view pattern of the ARIA
 * Authoring Practices; undefined if the key does not move.
 */
function rowAfterKey(
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
