import { makeDevfile } from '../__testUtils__/devfile';
import { FakeRuntime } from '../__testUtils__/FakeRuntime';
import { aWorkspace } from '../__testUtils__/workspaces';
import {
  chooseRevision,
  chooseStarterProject,
  Devfile,
  DevfileLoader,
  RepositoryLoader,
  RepositoryReader,
} from '../devfile';
import { openStore } from './__testUtils__/openStore';
import { workspaceDatabases } from './__testUtils__/workspaceDatabases';
import { generateWorkspaceName, updateDevfile } from './createWorkspace';
import { Workspace } from './Workspace';

const databases = workspaceDatabases();

const DEVFILE_URL = 'https://forge.example.org/devfile.yaml';
const TEXT = `
schemaVersion: 2.2.2
components:
  - name: tools
    container: { image: example.org/tools:1 }
projects:
  - name: shop
    git: { remotes: { origin: https://forge.example.org/shop.git } }
starterProjects:
  - name: hello
    zip: { location: https://forge.example.org/hello.zip }
`;

/** Updates the devfile of a workspace with this one. */
async function updated(
  choose: (devfile: Devfile) => Devfile,
  change: Partial<Workspace> = {},
) {
  const { store } = await openStore(databases);
  const reader = {
    timeoutMs: 10_000,
    read: async () => TEXT,
    integrationAt: () => undefined,
  };
  const devfiles = new DevfileLoader({ reader });
  const repositories = new RepositoryLoader({
    devfiles,
    reader,
    repositories: new RepositoryReader({
      reader,
      refs: { read: async () => undefined },
    }),
    defaultUrl: null,
  });
  const { devfile } = await devfiles.load(DEVFILE_URL);
  const workspace = aWorkspace({
    devfileUrl: DEVFILE_URL,
    devfile: choose(devfile),
    ...change,
  });
  await store.insert(workspace);
  await updateDevfile(
    { devfiles, repositories, runtime: new FakeRuntime(), store },
    workspace,
  );
  return (await store.get(workspace.id))!;
}

describe('updateDevfile of a workspace of an earlier version', () => {
  it.each(['with', 'without'])(
    'keeps its starter project, %s a flat devfile',
    async which => {
      const { devfile, warnings } = await updated(loaded => {
        const { flat, ...rest } = chooseStarterProject(loaded, 'hello');
        return which === 'with' ? { ...rest, flat } : rest;
      });
      expect(devfile.projects.map(({ name }) => name)).toEqual([
        'shop',
        'hello',
      ]);
      expect(warnings).toEqual(['Volumes are not kept apart']);
    },
  );

  it('says that it is no longer at the revision that may have been chosen', async () => {
    const { warnings } = await updated(devfile =>
      chooseRevision(devfile, 'fix'),
    );
    expect(warnings).toEqual([
      'Volumes are not kept apart',
      'Project "shop" was at revision "fix"; the devfile has the default branch',
    ]);
    const known = await updated(devfile => chooseRevision(devfile, 'fix'), {
      revision: 'fix',
    });
    expect(known.warnings).toEqual(['Volumes are not kept apart']);
  });

  it('chooses nothing that was not chosen', async () => {
    const { devfile, warnings } = await updated(loaded => loaded);
    expect(devfile.projects).toMatchObject([{ name: 'shop', revision: null }]);
    expect(warnings).toEqual(['Volumes are not kept apart']);
    const { devfile: alike } = await updated(() =>
      makeDevfile({
        flat: { schemaVersion: '2.2.2' },
        projects: [
          {
            name: 'hello',
            type: 'zip',
            clonePath: 'other',
            location: 'https://forge.example.org/hello.zip',
          },
        ],
        starterProjects: [
          {
            name: 'hello',
            type: 'zip',
            clonePath: null,
            description: null,
            location: 'https://forge.example.org/hello.zip',
          },
        ],
      }),
    );
    expect(alike.projects.map(({ name }) => name)).toEqual(['shop']);
  });
});

describe('generateWorkspaceName', () => {
  const pattern = /^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/;

  it.each([
    'shop',
    'Büro 日本',
    '日本',
    '',
    '-',
    '9',
    'x'.repeat(300),
    'a-'.repeat(60),
  ])('is a valid name for %j', devfileName => {
    expect(generateWorkspaceName(devfileName)).toMatch(pattern);
  });

  it('appends four characters that differ', () => {
    const names = Array.from({ length: 50 }, () =>
      generateWorkspaceName('shop'),
    );
    names.forEach(name => expect(name).toMatch(/^shop-[a-z0-9]{4}$/));
    expect(new Set(names).size).toBeGreaterThan(45);
  });
});
