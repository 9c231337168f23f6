import { formatPath, quote, toIssue } from './issue';

describe('formatPath', () => {
  it.each([
    [[], ''],
    [['components', 0, 'name'], 'components[0].name'],
    [
      ['projects', 1, 'git', 'remotes', 'my remote'],
      "projects[1].git.remotes['my remote']",
    ],
  ])('writes %j as %s', (path, written) => {
    expect(formatPath(path)).toBe(written);
  });
});

describe('quote', () => {
  it('cuts long text between characters, not within', () => {
    expect(quote('🚀'.repeat(100))).toBe(`'${'🚀'.repeat(60)}…'`);
  });
});

describe('toIssue', () => {
  it('shows an error of a parent at the parent', () => {
    const fault = { path: ['a'], message: 'is odd', source: 'https://x/y' };
    expect(toIssue(fault)).toEqual({
      path: 'parent',
      message: 'in https://x/y: a: is odd',
    });
  });
});
