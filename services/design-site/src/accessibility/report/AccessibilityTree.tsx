// Storybook bundles its frame with JSX as calls of `React`.
import * as React from 'react';
import type { TreeNode } from '../tree/TreeNode.ts';
import { flattenTree, rowAfterKey, type TreeRow } from './flattenTree.ts';

const INDENT_PX = 16;

/** The accessibility tree as a tree that is one itself. */
export function AccessibilityTree(props: {
  nodes: readonly TreeNode[];
  /** Shows the element in the story; undefined: none. */
  onPoint(selector: string | undefined): void;
}) {
  const { nodes, onPoint } = props;
  const [closed, setClosed] = React.useState<ReadonlySet<string>>(new Set());
  const [chosen, setChosen] = React.useState<string>();
  const tree = React.useRef<HTMLUListElement>(null);
  const rows = flattenTree(nodes, closed);
  // The chosen one may be gone: the tree stays reachable by its first row.
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
