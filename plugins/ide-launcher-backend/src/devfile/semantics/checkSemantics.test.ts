import { patient } from '@slipway/dev-runner/src/patience.ts';
import { fullDevfile } from '../__testUtils__/devfiles';
import { formatIssue, toIssue } from '../issue';
import { RawDevfile } from '../schema/devfile';
import { validateDevfile } from '../parseDevfile';
import { checkSemantics } from './checkSemantics';

type Part = Omit<RawDevfile, 'schemaVersion'>;

/** Issues of a devfile that passes the schema. */
function issuesOf(part: Part): string[] {
  const devfile: RawDevfile = { schemaVersion: '2.2.2', ...part };
  expect(validateDevfile(devfile)).toMatchObject({ ok: true });
  return checkSemantics(devfile).map(fault => formatIssue(toIssue(fault)));
}

const tools = { name: 'tools', container: { image: 'node' } };
const exec = { component: 'tools', commandLine: 'true' };

describe('checkSemantics', () => {
  it('finds nothing in a devfile that is right', () => {
    expect(checkSemantics(fullDevfile())).toEqual([]);
  });

  const cases: [name: string, part: Part, issues: string[]][] = [
    [
      'names of components, commands and projects are unique',
      {
        components: [tools, tools],
        commands: [
          { id: 'a', exec },
          { id: 'b', exec },
          { id: 'a', exec },
        ],
        starterProjects: [
          { name: 's', zip: { location: 'https://x' } },
          { name: 's', zip: { location: 'https://x' } },
        ],
        projects: [
          { name: 'p', zip: { location: 'https://x' } },
          { name: 'p', zip: { location: 'https://x' } },
        ],
      },
      [
        "components[1].name: 'tools' is already used by components[0]",
        "commands[2].id: 'a' is already used by commands[0]",
        "projects[1].name: 'p' is already used by projects[0]",
        "starterProjects[1].name: 's' is already used by starterProjects[0]",
      ],
    ],
    [
      'metadata.name is no path',
      { metadata: { name: '../../etc/passwd' } },
      ['metadata.name: must not contain slashes or control characters'],
    ],
    [
      'metadata.version is bounded',
      { metadata: { name: 'shop', version: `1.0.${'0'.repeat(300)}` } },
      ['metadata.version: must be at most 255 characters long'],
    ],
    [
      'metadata.name may be in any script',
      { metadata: { name: 'Büro 日本' } },
      [],
    ],
    [
      'commands name components of a fitting type',
      {
        components: [tools, { name: 'data', volume: {} }],
        commands: [
          { id: 'a', exec: { component: 'x', commandLine: 'true' } },
          { id: 'b', exec: { component: 'data', commandLine: 'true' } },
          { id: 'c', apply: { component: 'data' } },
          { id: 'd', apply: { component: 'tools' } },
        ],
      },
      [
        "commands[0].exec.component: no component named 'x'",
        "commands[1].exec.component: component 'data' is of type volume; must be container",
        "commands[2].apply.component: component 'data' is of type volume; must be container or kubernetes or openshift or image",
      ],
    ],
    [
      'composite commands name commands',
      { commands: [{ id: 'a', composite: { commands: ['b'] } }] },
      ["commands[0].composite.commands[0]: no command with the id 'b'"],
    ],
    [
      'composite commands do not contain themselves',
      {
        commands: [
          { id: 'lead', composite: { commands: ['a'] } },
          { id: 'a', composite: { commands: ['b'] } },
          { id: 'b', composite: { commands: ['a'] } },
          { id: 'self', composite: { commands: ['self'] } },
        ],
      },
      [
        'commands[1].composite.commands: contains itself: a → b → a',
        'commands[2].composite.commands: contains itself: b → a → b',
        'commands[3].composite.commands: contains itself: self → self',
      ],
    ],
    [
      'a kind of group has one default',
      {
        components: [tools],
        commands: [
          {
            id: 'a',
            exec: { ...exec, group: { kind: 'run', isDefault: true } },
          },
          { id: 'b', exec: { ...exec, group: { kind: 'run' } } },
          {
            id: 'c',
            exec: { ...exec, group: { kind: 'test', isDefault: true } },
          },
          {
            id: 'd',
            exec: { ...exec, group: { kind: 'run', isDefault: true } },
          },
        ],
      },
      [
        "commands[3].exec.group.isDefault: command 'a' is already the default of kind run",
      ],
    ],
    [
      'events name commands that can run then',
      {
        components: [tools],
        commands: [
          { id: 'run', exec },
          { id: 'put', apply: { component: 'tools' } },
          { id: 'mixed', composite: { commands: ['put', 'run'] } },
        ],
        events: {
          preStart: ['put', 'run', 'mixed'],
          postStart: ['run', 'none', 'put'],
          preStop: ['mixed'],
          postStop: ['put'],
        },
      },
      [
        "events.preStart[1]: command 'run' is not of type apply; preStart runs apply commands only",
        "events.preStart[2]: command 'mixed' is not of type apply through 'run'; preStart runs apply commands only",
        "events.postStart[1]: no command with the id 'none'",
        "events.postStart[2]: command 'put' is not of type exec; postStart runs exec commands only",
        "events.preStop[0]: command 'mixed' is not of type exec through 'put'; preStop runs exec commands only",
      ],
    ],
    [
      'projects have one remote to clone',
      {
        projects: [
          { name: 'none', git: { remotes: {} } },
          { name: 'two', git: { remotes: { a: 'https://a', b: 'https://b' } } },
          {
            name: 'wrong',
            git: { remotes: { a: 'https://a' }, checkoutFrom: { remote: 'c' } },
          },
          { name: 'empty', zip: {} },
        ],
        starterProjects: [
          {
            name: 'many',
            git: {
              remotes: { a: 'https://a', b: 'https://b' },
              checkoutFrom: { remote: 'a' },
            },
          },
        ],
      },
      [
        'projects[0].git.remotes: must name at least one remote',
        'projects[1].git.checkoutFrom.remote: is required with several remotes (a, b)',
        "projects[2].git.checkoutFrom.remote: no remote named 'c'",
        'projects[3].zip.location: is required',
        'starterProjects[0].git.remotes: must name one remote only',
      ],
    ],
    [
      'paths of endpoints stay below them',
      {
        components: [
          {
            name: 'tools',
            container: {
              image: 'x',
              endpoints: [
                '../workspace-other/',
                '/api/../../up',
                '/%2e%2e/up',
                'a\\..\\..\\up',
                '/.\t./up',
                '/api/../index.html?next=/../x#/../y',
                '//example.org/',
                'api',
              ].map((path, index) => ({
                name: `e${index}`,
                targetPort: 8080,
                path,
              })),
            },
          },
        ],
      },
      [0, 1, 2, 3, 4].map(
        index =>
          `components[0].container.endpoints[${index}].path: must be a path below its endpoint`,
      ),
    ],
    [
      'clone paths stay in the projects folder',
      {
        projects: [
          '../up',
          'a/../../up',
          '/etc',
          'a\\b',
          'ok/./here',
          'ok/here',
        ].map((clonePath, index) => ({
          name: `p${index}`,
          clonePath,
          zip: { location: 'https://x' },
        })),
      },
      [
        ...[0, 1, 2, 3].map(
          index =>
            `projects[${index}].clonePath: must be a relative path that stays in its folder`,
        ),
        "projects[5].clonePath: is the folder of project 'p4' as well",
      ],
    ],
    [
      'folders of starter projects stay in their sources',
      {
        starterProjects: ['../up', 'a/../../up', '/etc', 'a\\b', './app/'].map(
          (subDir, index) => ({
            name: `s${index}`,
            subDir,
            zip: { location: 'https://x' },
          }),
        ),
      },
      [0, 1, 2, 3].map(
        index =>
          `starterProjects[${index}].subDir: must be a relative path that stays in its folder`,
      ),
    ],
    [
      'volume mounts name volumes',
      {
        components: [
          {
            name: 'tools',
            container: {
              image: 'x',
              volumeMounts: [{ name: 'data' }, { name: 'tools' }],
            },
          },
          { name: 'data', volume: {} },
        ],
      },
      [
        "components[0].container.volumeMounts[1].name: no volume component named 'tools'",
      ],
    ],
    [
      'endpoints have names and ports of their own',
      {
        components: [
          {
            name: 'a',
            container: {
              image: 'x',
              endpoints: [
                { name: 'one', targetPort: 80 },
                { name: 'two', targetPort: 80, path: '/x' },
                { name: 'three', targetPort: 0 },
              ],
            },
          },
          {
            name: 'b',
            container: {
              image: 'x',
              endpoints: [
                { name: 'one', targetPort: 80 },
                { name: 'four', targetPort: 65_536 },
              ],
            },
          },
          {
            name: 'c',
            kubernetes: {
              uri: 'x',
              endpoints: [{ name: 'k', targetPort: 80 }],
            },
          },
        ],
      },
      [
        "components[1].container.endpoints[0].name: 'one' is already an endpoint of component 'a'",
        'components[0].container.endpoints[2].targetPort: must be a port from 1 to 65535',
        "components[1].container.endpoints[0].targetPort: port 80 is already used by component 'a'",
        'components[1].container.endpoints[1].targetPort: must be a port from 1 to 65535',
      ],
    ],
    [
      'quantities can be read, and requests stay within limits',
      {
        components: [
          {
            name: 'a',
            container: {
              image: 'x',
              memoryLimit: '1Gi',
              memoryRequest: '2000Mi',
              cpuLimit: 'much',
              cpuRequest: '1',
            },
          },
          { name: 'b', volume: { size: '{{size}}' } },
        ],
      },
      [
        'components[0].container.memoryRequest: must not be larger than memoryLimit',
        "components[0].container.cpuLimit: must be a quantity such as 512Mi or 500m, and is 'much'",
        "components[1].volume.size: must be a quantity such as 512Mi or 500m, and is '{{size}}'",
      ],
    ],
    [
      'environment variables can be set',
      {
        components: [
          {
            name: 'tools',
            container: {
              image: 'x',
              env: [
                { name: 'PROJECTS_ROOT', value: '/' },
                { name: 'A=B', value: '' },
                { name: 'OK', value: '' },
                { name: 'NUL', value: 'a\0b' },
              ],
            },
          },
        ],
        commands: [
          { id: 'a', exec: { ...exec, env: [{ name: '', value: '' }] } },
        ],
      },
      [
        "components[0].container.env[0].name: 'PROJECTS_ROOT' is set by the platform and cannot be changed",
        "components[0].container.env[1].name: 'A=B' cannot be the name of an environment variable",
        "components[0].container.env[3].name: the value of 'NUL' must not contain a NUL character",
        "commands[0].exec.env[0].name: '' cannot be the name of an environment variable",
      ],
    ],
  ];

  it.each(cases)('%s', (_, part, issues) => {
    expect(issuesOf(part)).toEqual(issues);
  });

  it('refuses commands and events that run too many commands, where they become too many', () => {
    const levels = Array.from({ length: 30 }, (_, level) =>
      ['a', 'b'].map(side => ({
        id: `${side}${level}`,
        ...(level === 29
          ? { exec }
          : { composite: { commands: [`a${level + 1}`, `b${level + 1}`] } }),
      })),
    );
    expect(
      issuesOf({
        components: [tools],
        commands: levels.flat(),
        events: { postStart: ['a0'] },
      }),
    ).toEqual([
      "commands[40].composite.commands: 'a20' runs more than 1000 commands",
      "commands[41].composite.commands: 'b20' runs more than 1000 commands",
    ]);
    expect(
      issuesOf({
        components: [tools],
        commands: [
          { id: 'one', exec },
          {
            id: 'most',
            composite: { commands: new Array<string>(999).fill('one') },
          },
        ],
        events: { postStart: ['most', 'one'] },
      }),
    ).toEqual(['events.postStart: postStart runs more than 1000 commands']);
  });

  it('follows a long chain of composite commands quickly', () => {
    const length = 2_000;
    const commands = Array.from({ length }, (_, index) => ({
      id: `c${index}`,
      composite: { commands: [`c${index + 1}`, `c${index + 1}`] },
    }));
    const started = performance.now();
    expect(issuesOf({ commands })).toEqual([
      `commands[${
        length - 1
      }].composite.commands[0]: no command with the id 'c${length}'`,
      `commands[${
        length - 1
      }].composite.commands[1]: no command with the id 'c${length}'`,
    ]);
    expect(performance.now() - started).toBeLessThan(patient(1_000));
  });

  it('looks at what an event runs once, however often it is named', () => {
    const many = <T>(value: T) => new Array<T>(5_000).fill(value);
    const started = performance.now();
    expect(
      issuesOf({
        components: [tools],
        commands: [
          { id: 'one', exec },
          { id: 'all', composite: { commands: many('one') } },
        ],
        events: { postStart: many('all') },
      }),
    ).toEqual([
      "commands[1].composite.commands: 'all' runs more than 1000 commands",
    ]);
    expect(performance.now() - started).toBeLessThan(patient(400));
  });
});
