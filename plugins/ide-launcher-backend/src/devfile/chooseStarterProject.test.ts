import { makeDevfile } from '../__testUtils__/devfile';
import { chooseStarterProject } from './chooseStarterProject';

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

describe('chooseStarterProject', () => {
  it('converts it to a project, with a warning', () => {
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
