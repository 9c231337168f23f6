import type { TreeNode } from '../channel';
import { buildTree } from './buildTree';

/** Renders the tree as lines such as `  button "Save" [disabled]`. */
function outline(nodes: readonly TreeNode[], depth = 0): string[] {
  return nodes.flatMap(({ role, name, states, children }) => [
    `${'  '.repeat(depth)}${role}${name && ` "${name}"`}${
      states.length > 0 ? ` [${states.join(', ')}]` : ''
    }`,
    ...outline(children, depth + 1),
  ]);
}

function treeOf(html: string): TreeNode[] {
  document.body.innerHTML = html;
  return buildTree(document.body);
}

describe('buildTree', () => {
  it('includes roles, names and states, and skips elements without semantics', () => {
    expect(
      outline(
        treeOf(`
          <div>
            <h2>Workspaces</h2>
            <div><button disabled aria-expanded="false">Create <b>one</b></button></div>
            <label>Name <input required></label>
            <label><input type="checkbox" checked> Anonymous</label>
          </div>`),
      ),
    ).toEqual([
      'heading "Workspaces" [level 2]',
      '  text "Workspaces"',
      'button "Create one" [expanded: false, disabled]',
      'text "Name"',
      'textbox "Name" [required]',
      'checkbox "Anonymous" [checked]',
      'text "Anonymous"',
    ]);
  });

  it('omits elements that are hidden from assistive technology', () => {
    expect(
      outline(
        treeOf(`
          <p hidden>hidden</p><p aria-hidden="true">decoration</p>
          <p style="display: none">not shown</p><style>p {}</style>
          <ul role="presentation"><li>words</li></ul>`),
      ),
    ).toEqual(
      expect.not.arrayContaining([
        expect.stringMatching(/hidden|shown|decoration/),
      ]),
    );
  });

  it('resolves names and descriptions from other elements', () => {
    const [dialog] = treeOf(`
      <div role="dialog" aria-modal="true" aria-labelledby="t" aria-describedby="d">
        <h2 id="t">Delete api-gateway?</h2><p id="d">Its files are lost.</p>
      </div>`);

    expect(dialog).toMatchObject({
      role: 'dialog',
      name: 'Delete api-gateway?',
      description: 'Its files are lost.',
      states: ['modal'],
    });
  });

  it('gives each element a unique selector and a stable key', () => {
    const html = '<nav><a href="#a">A</a><a href="#b">B</a></nav>';
    const [before] = treeOf(html);
    const [nav] = treeOf(html);

    expect(
      nav?.children.map(
        ({ selector }) => document.querySelector(selector)?.textContent,
      ),
    ).toEqual(['A', 'B']);
    expect(nav?.children.map(({ key }) => key)).toEqual(
      before?.children.map(({ key }) => key),
    );
  });

  it('omits elements outside of the scope', () => {
    document.body.innerHTML = '<main>in</main><aside id="out">out</aside>';

    expect(outline(buildTree(document.body, ({ id }) => id === 'out'))).toEqual(
      ['main', '  text "in"'],
    );
  });
});
