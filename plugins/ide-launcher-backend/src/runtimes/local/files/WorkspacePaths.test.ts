import path from 'node:path';
import { projectFolder } from '../localDevfile';
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

describe('projectFolder', () => {
  const paths = { projects: path.resolve('/data/projects') };

  function folder(clonePath: string | null) {
    return projectFolder(
      { name: 'demo', type: 'zip', location: 'https://x/y.zip', clonePath },
      paths,
    );
  }

  it('is inside the projects folder', () => {
    expect(folder(null)).toBe('/data/projects/demo');
    expect(folder('src/demo')).toBe('/data/projects/src/demo');
  });

  it.each(['..', '../x', '/etc', 'a/../../x', '.', ''])(
    'refuses the clonePath %j',
    clonePath => {
      expect(() => folder(clonePath)).toThrow('outside of the projects folder');
    },
  );
});
