import { stringify } from 'yaml';
import { devfileWithParent, fullDevfile } from './__testUtils__/devfiles';
import { FakeAnswer, FakeUrlReader } from './__testUtils__/FakeUrlReader';
import { formatIssue, toIssue } from './issue';
import { MAX_PARENT_DEPTH, resolveParents } from './DevfileLoader';
import { DevfileReader } from './DevfileReader';
import { RawDevfile } from './schema/devfile';
import { locateFault } from './mergeParent';

const BASE = 'https://example.org/base.yaml';

async function resolve(
  devfile: Omit<RawDevfile, 'schemaVersion'>,
  files: Record<string, FakeAnswer | object>,
) {
  const answers = Object.entries(files).map(([url, file]) => [
    url,
    typeof file === 'object' && !(file instanceof Error)
      ? stringify(file)
      : file,
  ]);
  const urlReader = new FakeUrlReader(Object.fromEntries(answers));
  const reader = new DevfileReader({ urlReader });
  const { flat, faults } = await resolveParents(reader, {
    devfile: { schemaVersion: '2.2.2', ...devfile },
    url: new URL('https://example.org/team/devfile.yaml'),
    source: null,
    chain: [],
  });
  const issues = faults.map(fault => formatIssue(toIssue(fault)));
  return { flat, issues, read: urlReader.read };
}

describe('resolveParents', () => {
  it('does not change a devfile without a parent', async () => {
    const { flat, issues, read } = await resolve(fullDevfile(), {});
    expect(flat.devfile).toEqual(fullDevfile());
    expect([issues, read]).toEqual([[], []]);
  });

  it('overrides elements of the parent and keeps the rest', async () => {
    const { flat, issues } = await resolve(devfileWithParent(), {
      [BASE]: fullDevfile(),
    });
    expect(issues).toEqual([]);
    const { devfile } = flat;
    const base = fullDevfile();
    expect(devfile).not.toHaveProperty('parent');
    expect(devfile.metadata).toBeUndefined();
    expect(devfile.variables).toEqual({ tag: '22', folder: 'web' });
    expect(devfile.components?.map(({ name }) => name)).toEqual(
      base.components?.map(({ name }) => name),
    );
    expect(devfile.commands?.[0].exec).toEqual({
      ...base.commands?.[0].exec,
      commandLine: 'npm i',
      group: { kind: 'build', isDefault: false },
    });
    expect(devfile.projects?.[0].git?.checkoutFrom).toEqual({
      remote: 'origin',
      revision: 'next',
    });
  });

  it('puts the parent first, and joins events', async () => {
    const container = { image: 'node' };
    const exec = { component: 'base', commandLine: 'true' };
    const { flat } = await resolve(
      {
        parent: { uri: '../base.yaml' },
        components: [{ name: 'own', container }],
        events: { postStart: ['a'], preStop: ['a'] },
      },
      {
        [BASE]: {
          schemaVersion: '2.1.0',
          components: [{ name: 'base', container }],
          commands: [{ id: 'a', exec }],
          events: { postStart: ['a'] },
        },
      },
    );
    expect(flat.devfile.components?.map(({ name }) => name)).toEqual([
      'base',
      'own',
    ]);
    expect(flat.devfile.events).toMatchObject({
      postStart: ['a'],
      preStop: ['a'],
    });
    expect(flat.devfile.schemaVersion).toBe('2.2.2');
    const at = (index: number) =>
      formatIssue(
        toIssue(
          locateFault(flat, {
            path: ['components', index, 'name'],
            message: 'is odd',
          }),
        ),
      );
    expect([at(0), at(1)]).toEqual([
      `parent: in ${BASE}: components[0].name: is odd`,
      'components[0].name: is odd',
    ]);
  });

  it('demands that overrides have something to override, and that own elements are new', async () => {
    const { issues } = await resolve(
      {
        parent: {
          uri: BASE,
          components: [{ name: 'none', volume: {} }],
          variables: { none: '' },
        },
        variables: { tag: '1' },
        components: [{ name: 'tools', volume: {} }],
      },
      { [BASE]: fullDevfile() },
    );
    expect(issues).toEqual([
      "parent.components[0].name: 'none' is not in the parent; new elements belong under components",
      'parent.variables.none: is not in the parent; new variables belong under variables',
      "components[0].name: 'tools' is already in the parent; to change it, write it under parent.components",
      'variables.tag: is already in the parent; to change it, write it under parent.variables',
    ]);
  });

  it('checks what an override makes of an element', async () => {
    const { issues } = await resolve(
      {
        parent: {
          uri: BASE,
          components: [{ name: 'cache', container: { memoryLimit: '1Gi' } }],
        },
      },
      { [BASE]: fullDevfile() },
    );
    expect(issues).toEqual([
      `parent: in ${BASE}: components[1].container.image: is required`,
    ]);
  });

  it('names the file in which a grandparent is broken', async () => {
    const { issues } = await resolve(
      { parent: { uri: BASE } },
      {
        [BASE]: { schemaVersion: '2.2.2', parent: { uri: 'top.yaml' } },
        'https://example.org/top.yaml': 'schemaVersion: 2.2.2\nnonsense: 1',
      },
    );
    expect(issues).toEqual([
      'parent: in https://example.org/top.yaml: nonsense: is not a devfile field here',
    ]);
  });

  it.each([
    [
      { id: 'node' },
      'parent: only a parent by uri is supported, not by id or kubernetes',
    ],
    [
      { kubernetes: { name: 'x' } },
      'parent: only a parent by uri is supported, not by id or kubernetes',
    ],
    [
      { uri: 'http://example.org/base.yaml' },
      'parent.uri: the parent must be an https URL',
    ],
    [
      { uri: 'file:///etc/passwd' },
      'parent.uri: the parent must be an https URL',
    ],
    [
      { uri: '//ada:x@example.org/base.yaml' },
      'parent.uri: the parent must not contain a user name or password',
    ],
    [
      { uri: '/none.yaml' },
      'parent.uri: https://example.org/none.yaml answered 404',
    ],
    [
      { uri: 'https://elsewhere.org/x' },
      /^parent\.uri: cannot read .*: host elsewhere\.org is not allowed/,
    ],
    [
      { uri: 'devfile.yaml' },
      'parent.uri: https://example.org/team/devfile.yaml is its own parent',
    ],
    [
      { uri: '/broken.yaml' },
      /^parent: in https:\/\/example\.org\/broken\.yaml: line 1, column/,
    ],
  ])('refuses the parent %j', async (parent, message) => {
    const { issues } = await resolve(
      { parent },
      { 'https://example.org/broken.yaml': 'a: [' },
    );
    expect(issues).toHaveLength(1);
    expect(issues[0]).toMatch(message);
  });

  it('rejects circular parents', async () => {
    const { issues, read } = await resolve(
      { parent: { uri: '/a.yaml' } },
      {
        'https://example.org/a.yaml': {
          schemaVersion: '2.2.2',
          parent: { uri: 'b.yaml' },
        },
        'https://example.org/b.yaml': {
          schemaVersion: '2.2.2',
          parent: { uri: 'a.yaml#again' },
        },
      },
    );
    expect(issues).toEqual([
      'parent: in https://example.org/b.yaml: parent.uri: https://example.org/a.yaml is its own parent',
    ]);
    expect(read).toHaveLength(2);
  });

  it.each([MAX_PARENT_DEPTH, MAX_PARENT_DEPTH + 1])(
    'counts %d levels of parents',
    async depth => {
      const files = Object.fromEntries(
        Array.from({ length: depth }, (_, index) => [
          `https://example.org/${index}.yaml`,
          {
            schemaVersion: '2.2.2',
            ...(index + 1 < depth && { parent: { uri: `${index + 1}.yaml` } }),
          },
        ]),
      );
      const { issues, read } = await resolve(
        { parent: { uri: '/0.yaml' } },
        files,
      );
      expect(read).toHaveLength(MAX_PARENT_DEPTH);
      expect(issues).toEqual(
        depth <= MAX_PARENT_DEPTH
          ? []
          : [
              'parent: in https://example.org/4.yaml: parent.uri: there are more than 5 levels of parents',
            ],
      );
    },
  );
});
