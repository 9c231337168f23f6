import { makeDevfile } from '../__testUtils__/devfile';
import { chooseRevision, chooseStarterProject } from './chooseProjects';

describe('chooseRevision', () => {
  const zip = {
    name: 'assets',
    type: 'zip' as const,
    clonePath: null,
    location: 'https://example.org/assets.zip',
  };
  const git = {
    name: 'shop',
    type: 'git' as const,
    clonePath: null,
    remote: { name: 'origin', url: 'https://example.org/shop.git' },
    otherRemotes: [],
    revision: 'main',
  };

  it('sets the revision of the first Git project, also in the flat devfile', () => {
    const devfile = makeDevfile({
      projects: [zip, git, { ...git, name: 'tools' }],
      flat: {
        schemaVersion: '2.2.2',
        projects: [
          { name: 'assets', zip: { location: zip.location } },
          { name: 'shop', git: { remotes: { origin: git.remote.url } } },
          { name: 'tools', git: { remotes: { origin: git.remote.url } } },
        ],
      },
    });
    const chosen = chooseRevision(devfile, 'abc123');
    expect(chosen.projects).toEqual([
      zip,
      { ...git, revision: 'abc123' },
      { ...git, name: 'tools' },
    ]);
    expect(
      chosen.flat?.projects?.map(
        project => project.git?.checkoutFrom?.revision,
      ),
    ).toEqual([undefined, 'abc123', undefined]);
    expect(devfile.projects[1]).toMatchObject({ revision: 'main' });
  });

  it('reports that there is nothing to check out', () => {
    expect(() => chooseRevision(makeDevfile({ projects: [zip] }), 'x')).toThrow(
      'revision: the devfile has no Git project',
    );
  });
});

describe('chooseStarterProject', () => {
  const starter = {
    name: 'hello',
    description: 'Says hello',
    type: 'zip' as const,
    clonePath: null,
    location: 'https://example.org/hello.zip',
    subDir: 'app',
  };
  const devfile = makeDevfile({
    flat: { schemaVersion: '2.2.2', attributes: { kept: true } },
    starterProjects: [starter, { ...starter, name: 'other' }],
  });

  it('adds it to the projects, and selects it in the flat devfile', () => {
    const chosen = chooseStarterProject(devfile, 'hello');
    const { description, ...project } = starter;
    expect(chosen.projects).toEqual([project]);
    expect(chosen.flat?.attributes).toEqual({
      kept: true,
      'controller.devfile.io/use-starter-project': 'hello',
    });
    expect(devfile.projects).toEqual([]);
  });

  it('lists the available ones', () => {
    expect(() => chooseStarterProject(devfile, 'none')).toThrow(
      "starterProject: the devfile has none named 'none'; it has hello, other",
    );
    expect(() => chooseStarterProject(makeDevfile(), 'x')).toThrow(
      "starterProject: the devfile has none named 'x'; it has no starter projects",
    );
  });

  it('does not use the folder of a project', () => {
    const taken = { ...starter, name: 'shop', clonePath: 'hello' };
    expect(() =>
      chooseStarterProject({ ...devfile, projects: [taken] }, 'hello'),
    ).toThrow("'hello' is already the folder of a project");
  });
});
