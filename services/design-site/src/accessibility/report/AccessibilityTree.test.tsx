import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { TreeNode } from '../channel';
import { AccessibilityTree } from './AccessibilityTree';

const node = (
  role: string,
  name: string,
  children: TreeNode[] = [],
): TreeNode => ({
  key: name,
  role,
  name,
  description: '',
  states: [],
  selector: `#${name}`,
  children,
});
const nodes = [
  node('dialog', 'create', [node('textbox', 'name'), node('button', 'cancel')]),
  node('link', 'help'),
];

function show() {
  const pointedAt: (string | undefined)[] = [];
  render(
    <AccessibilityTree
      nodes={nodes}
      onPoint={selector => pointedAt.push(selector)}
    />,
  );
  return { user: userEvent.setup(), pointedAt };
}
const focused = () => document.activeElement?.textContent;

describe('AccessibilityTree', () => {
  it('is an ARIA tree: one row is in the tab order, with level and position', () => {
    show();
    const rows = screen.getAllByRole('treeitem');

    expect(rows.map(row => row.tabIndex)).toEqual([0, -1, -1, -1]);
    expect(rows[2]).toHaveAttribute('aria-level', '2');
    expect(rows[2]).toHaveAttribute('aria-posinset', '2');
    expect(rows[2]).toHaveAttribute('aria-setsize', '2');
  });

  it('moves with the arrow keys, and highlights each element in the story', async () => {
    const { user, pointedAt } = show();
    await user.tab();
    await user.keyboard('{ArrowDown}');
    expect(focused()).toContain('name');
    expect(pointedAt.at(-1)).toBe('#name');

    await user.keyboard('{End}');
    expect(focused()).toContain('help');
    await user.keyboard('{Home}');
    expect(focused()).toContain('create');
    await user.keyboard('{ArrowRight}{ArrowLeft}');
    expect(focused()).toContain('create');
  });

  it('collapses and expands with the arrow keys, Enter and the pointer', async () => {
    const { user } = show();
    await user.tab();
    await user.keyboard('{ArrowLeft}');
    expect(screen.getAllByRole('treeitem')).toHaveLength(2);
    expect(screen.getAllByRole('treeitem')[0]).toHaveAttribute(
      'aria-expanded',
      'false',
    );

    await user.keyboard('{ArrowRight}');
    expect(screen.getAllByRole('treeitem')).toHaveLength(4);
    await user.keyboard('{Enter}');
    expect(screen.getAllByRole('treeitem')).toHaveLength(2);
    await user.click(screen.getByText('dialog'));
    expect(screen.getAllByRole('treeitem')).toHaveLength(4);
  });
});
