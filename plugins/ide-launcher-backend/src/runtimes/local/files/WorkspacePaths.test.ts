import { InstallationPaths } from './WorkspacePaths';

describe('InstallationPaths', () => {
  it('keeps sockets short enough below a long data folder', () => {
    const paths = new InstallationPaths(`/${'long/'.repeat(30)}`).of(
      'workspace-x',
    );
    expect(Buffer.byteLength(paths.socket)).toBeLessThanOrEqual(103);
    expect(paths.root.startsWith('/long/')).toBe(true);
  });

  it.each(['workspace-', 'workspace-a/b', 'workspace-..', 'x', 'workspace-A'])(
    'refuses the id %j',
    id => {
      expect(() => new InstallationPaths('/data').of(id)).toThrow(
        'Not a workspace id',
      );
    },
  );
});
