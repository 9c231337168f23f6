import path from 'node:path';
import { makeDevfile } from '../../__testUtils__/devfile';
import {
  describeUnsupported,
  memoryLimitOf,
  projectFolder,
} from './localDevfile';

const GIBIBYTE = 1024 ** 3;

describe('describeUnsupported', () => {
  it('names everything of a devfile that this runtime does not do', () => {
    const base = makeDevfile({
      container: {
        memoryLimit: '1Gi',
        cpuLimit: '2',
        command: ['tail'],
        env: [{ name: 'PATH', value: '/opt' }],
        endpoints: [
          {
            name: 'db',
            targetPort: 5432,
            exposure: 'internal',
            protocol: 'tcp',
            path: null,
            secure: false,
          },
        ],
      },
    });
    const sentences = describeUnsupported({
      ...base,
      components: [
        ...base.components,
        { name: 'cache', type: 'volume', size: '1Gi', ephemeral: false },
        { name: 'app', type: 'kubernetes', detail: 'deploy.yaml' },
        { name: 'img', type: 'image', imageName: 'example.org/app' },
      ],
      commands: [
        {
          id: 'push',
          type: 'apply',
          component: 'img',
          label: null,
          group: null,
        },
      ],
      projects: [
        {
          name: 'archive',
          type: 'zip',
          clonePath: null,
          location: 'http://x/y.zip',
        },
        {
          name: 'code',
          type: 'git',
          clonePath: null,
          remote: { name: 'origin', url: 'ssh://git@example.org/code' },
          otherRemotes: [],
          revision: null,
        },
      ],
      events: { preStart: ['push'], postStart: [], preStop: [], postStop: [] },
    });

    expect(sentences).toEqual([
      'Container "tools" does not run its image example.org/tools:1; its commands run on the portal\'s machine.',
      'The start command of container "tools" is not run.',
      'The CPU limit 2 of container "tools" is not enforced.',
      'Variable PATH of container "tools" is not set, because the workspace sets its own.',
      'Endpoint "db" (tcp) cannot be opened in the browser.',
      'Volume "cache" is not mounted; files in the workspace\'s own folders are kept until it is deleted.',
      'Component "app" (kubernetes) is not deployed.',
      'Image "example.org/app" is not built.',
      'Command "push" is not available: it applies a component.',
      'The commands of the preStart event are not run.',
      'Project "archive" is not fetched: only https addresses are supported, not http.',
      'Project "code" is not fetched: only https addresses are supported, not ssh.',
    ]);
  });
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

describe('memoryLimitOf', () => {
  it('adds the editor’s memory to the devfile’s limit', () => {
    const devfile = makeDevfile({ container: { memoryLimit: '512Mi' } });
    expect(memoryLimitOf(devfile, 8 * GIBIBYTE)).toBe(1.5 * GIBIBYTE);
  });

  it('never exceeds the configured limit', () => {
    const devfile = makeDevfile({ container: { memoryLimit: '64Gi' } });
    expect(memoryLimitOf(devfile, 4 * GIBIBYTE)).toBe(4 * GIBIBYTE);
  });

  it('uses the configured limit by default', () => {
    expect(memoryLimitOf(makeDevfile(), GIBIBYTE)).toBe(GIBIBYTE);
  });
});
