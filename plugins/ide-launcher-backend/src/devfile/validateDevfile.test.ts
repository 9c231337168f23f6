import { devfileWithParent, fullDevfile } from './__testUtils__/devfiles';
import { formatIssue, toIssue } from './issue';
import { validateDevfile } from './parseDevfile';
import { SCHEMA_VERSIONS } from './schema/versions';

function issuesOf(value: unknown): string[] {
  const result = validateDevfile(value);
  return result.ok
    ? []
    : result.faults.map(fault => formatIssue(toIssue(fault)));
}

function withComponent(component: object, schemaVersion = '2.2.2') {
  return { schemaVersion, components: [component] };
}

describe('validateDevfile', () => {
  it('accepts a devfile that uses everything', () => {
    expect(issuesOf(fullDevfile())).toEqual([]);
    expect(issuesOf(devfileWithParent())).toEqual([]);
  });

  it.each(SCHEMA_VERSIONS)('accepts a plain devfile of version %s', version => {
    const devfile = {
      schemaVersion: version,
      metadata: { name: 'app' },
      components: [{ name: 'tools', container: { image: 'node' } }],
      commands: [
        { id: 'run', exec: { component: 'tools', commandLine: 'npm start' } },
      ],
    };
    expect(issuesOf(devfile)).toEqual([]);
  });

  it.each([
    [null, 'must be a mapping, and is empty'],
    ['text', "must be a mapping, and is the text 'text'"],
    [[], 'must be a mapping, and is a list'],
    [{}, 'schemaVersion: is required'],
    [
      { schemaVersion: '9.9.9' },
      "schemaVersion: must be one of 2.0.0, 2.1.0, 2.2.0, 2.2.1, 2.2.2, 2.3.0, and is the text '9.9.9'",
    ],
    [
      { schemaVersion: '2.2.2', metadata: { version: '1.0' } },
      "metadata.version: must be a version such as 1.2.3 or 1.2.3-beta, and is '1.0'",
    ],
    [
      { schemaVersion: '2.2.2', metadata: { version: 1 } },
      'metadata.version: must be text, and is the number 1; put it in quotes',
    ],
    [
      {
        schemaVersion: '2.2.2',
        metadata: { architectures: ['arm64', 'arm64'] },
      },
      'metadata.architectures: must not name an architecture twice',
    ],
    [
      { schemaVersion: '2.2.2', components: {} },
      'components: must be a list, and is a mapping',
    ],
    [
      withComponent({ name: '../../etc', container: { image: 'x' } }),
      "components[0].name: must be lowercase letters, digits and hyphens, beginning and ending with a letter or digit, and is '../../etc'",
    ],
    ...['projects', 'starterProjects', 'dependentProjects'].map(
      (list): [object, string] => [
        {
          schemaVersion: '2.2.2',
          [list]: [{ name: '../../etc', zip: { location: 'https://x/y.zip' } }],
        },
        `${list}[0].name: must be lowercase letters, digits and hyphens, beginning and ending with a letter or digit, and is '../../etc'`,
      ],
    ),
    [
      withComponent({ name: 'größe', container: { image: 'x' } }),
      "components[0].name: must be lowercase letters, digits and hyphens, beginning and ending with a letter or digit, and is 'größe'",
    ],
    [
      withComponent({ name: 'a'.repeat(64), volume: {} }),
      'components[0].name: must be at most 63 characters long',
    ],
    [
      withComponent({ name: 'a' }),
      'components[0]: must have one of container, kubernetes, openshift, volume, image',
    ],
    [
      withComponent({ name: 'a', volume: {}, container: { image: 'x' } }),
      'components[0]: must have only one of container, kubernetes, openshift, volume, image, but has container and volume',
    ],
    [
      withComponent({ name: 'a', container: {} }),
      'components[0].container.image: is required',
    ],
    [
      withComponent({ name: 'a', kubernetes: {} }),
      'components[0].kubernetes: must have one of uri, inlined',
    ],
    [
      withComponent({ name: 'a', container: { image: 'x', 'we ird': 1 } }),
      "components[0].container['we ird']: is not a devfile field here",
    ],
    [
      withComponent({
        name: 'a',
        container: { image: 'x', endpoints: [{ name: 'e', targetPort: 80.5 }] },
      }),
      'components[0].container.endpoints[0].targetPort: must be an integer, and is the number 80.5',
    ],
    [
      { schemaVersion: '2.2.2', parent: { uri: 'x', id: 'y' } },
      'parent: must have only one of uri, id, kubernetes, but has uri and id',
    ],
  ])('says what is wrong: %#', (value, message) => {
    const issues = issuesOf(value);
    expect(issues).toHaveLength(1);
    expect(issues[0]).toMatch(message);
  });

  it('reports everything at once', () => {
    const value = {
      schemaVersion: '2.2.2',
      components: [{ name: 1, extra: true }],
      commands: [{ id: 'A', exec: { component: 'x' }, apply: {} }],
      nonsense: {},
    };
    expect(
      issuesOf(value)
        .map(issue => issue.split(':')[0])
        .sort(),
    ).toEqual([
      'commands[0]',
      'commands[0].apply.component',
      'commands[0].exec.commandLine',
      'commands[0].id',
      'components[0]',
      'components[0].extra',
      'components[0].name',
      'nonsense',
    ]);
  });

  it('stops at 50 issues', () => {
    const components = Array.from({ length: 100 }, () => ({}));
    expect(issuesOf({ schemaVersion: '2.2.2', components })).toHaveLength(50);
  });

  it('keeps hostile text out of its messages', () => {
    const name = `\u001b[31m\n\u202e${'x'.repeat(500)}`;
    const [issue] = issuesOf(withComponent({ name, volume: {} }));
    expect(issue).not.toMatch(/\p{Cc}|\p{Cf}/u);
    expect(issue.length).toBeLessThan(200);
  });
});

describe('schema versions', () => {
  it.each([
    [{ variables: {} }, 'variables', '2.0.0', '2.1.0'],
    [{ attributes: {} }, 'attributes', '2.0.0', '2.1.0'],
    [
      { components: [{ name: 'a', container: { image: 'x', cpuLimit: '1' } }] },
      'components[0].container.cpuLimit',
      '2.0.0',
      '2.1.0',
    ],
    [
      {
        components: [
          { name: 'a', kubernetes: { uri: 'x', deployByDefault: true } },
        ],
      },
      'components[0].kubernetes.deployByDefault',
      '2.1.0',
      '2.2.0',
    ],
    [
      {
        components: [
          { name: 'a', image: { imageName: 'x', dockerfile: { uri: 'y' } } },
        ],
      },
      'components[0].image',
      '2.1.0',
      '2.2.0',
    ],
    [{ dependentProjects: [] }, 'dependentProjects', '2.2.1', '2.2.2'],
    [
      { parent: { uri: 'x', dependentProjects: [] } },
      'parent.dependentProjects',
      '2.2.1',
      '2.2.2',
    ],
  ])('%j came with a later version', (devfile, path, before, since) => {
    expect(issuesOf({ schemaVersion: before, ...devfile })).toEqual([
      `${path}: needs schemaVersion ${since} or later, and the file says ${before}`,
    ]);
    expect(issuesOf({ schemaVersion: since, ...devfile })).toEqual([]);
  });

  it('accepts the group kind deploy since 2.2.0', () => {
    const commands = [
      { id: 'd', composite: { commands: [], group: { kind: 'deploy' } } },
    ];
    expect(issuesOf({ schemaVersion: '2.1.0', commands })).toEqual([
      "commands[0].composite.group.kind: the kind 'deploy' needs schemaVersion 2.2.0 or later, and the file says 2.1.0",
    ]);
    expect(issuesOf({ schemaVersion: '2.2.0', commands })).toEqual([]);
  });

  it('allows long endpoint names before 2.2.0', () => {
    const component = {
      name: 'a',
      container: {
        image: 'x',
        endpoints: [{ name: 'a-name-longer-than-15', targetPort: 80 }],
      },
    };
    expect(issuesOf(withComponent(component, '2.1.0'))).toEqual([]);
    expect(issuesOf(withComponent(component, '2.2.0'))).toEqual([
      'components[0].container.endpoints[0].name: must be at most 15 characters long',
    ]);
  });
});
