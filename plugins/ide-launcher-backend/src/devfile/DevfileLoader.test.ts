import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { ConfigReader } from '@backstage/config';
import { InputError } from '@backstage/errors';
import { parse, stringify } from 'yaml';
import { fullDevfile } from './__testUtils__/devfiles';
import { FakeUrlReader } from './__testUtils__/FakeUrlReader';
import { DevfileLoader } from './DevfileLoader';
import { DevfileReader } from './DevfileReader';

const ADDRESS = 'https://git.example.org/team/shop/main/devfile.yaml';

function loaderFor(files: Record<string, string>) {
  const config = new ConfigReader({
    backend: { reading: { allow: [{ host: 'git.example.org' }] } },
    // Read by the URL reader, which is a fake here.
    integrations: { gitea: [{ host: 'git.example.org' }] },
  });
  const urlReader = new FakeUrlReader(files);
  return new DevfileLoader({
    reader: DevfileReader.fromConfig(config, { urlReader }),
  });
}

describe('DevfileLoader', () => {
  it('reports mistyped values together with mistyped references', async () => {
    const text = stringify({
      schemaVersion: '2.2.2',
      components: [{ name: 'Tools', container: { image: 'node' } }],
      commands: [
        { id: 'run', exec: { component: 'tols', commandLine: 'npm start' } },
        { id: 'test', exec: { component: 'Tools', commandLine: 'npm test' } },
      ],
      events: { postStart: ['rnu'] },
      projcts: [],
    });

    const { issues } = await loaderFor({ [ADDRESS]: text }).inspect(ADDRESS);

    expect(issues).toEqual([
      {
        path: 'components[0].name',
        message:
          "must be lowercase letters, digits and hyphens, beginning and ending with a letter or digit, and is 'Tools'",
      },
      { path: 'projcts', message: 'is not a devfile field here' },
      {
        path: 'commands[0].exec.component',
        message: "no component named 'tols'",
      },
      {
        path: 'events.postStart[0]',
        message: "no command with the id 'rnu'",
      },
    ]);
  });

  it('loads a devfile, every default filled in', async () => {
    const text = [
      'schemaVersion: 2.2.0',
      'components:',
      '  - name: tools',
      '    container:',
      '      image: node',
      '      endpoints: [{name: http, targetPort: 3000}]',
      'commands:',
      '  - id: run',
      '    exec: {component: tools, commandLine: "echo {{who}}"}',
    ].join('\n');
    await expect(loaderFor({ [ADDRESS]: text }).load(ADDRESS)).resolves.toEqual(
      {
        text,
        warnings: [
          {
            path: 'commands[0].exec.commandLine',
            message: "no variable named 'who'; it is left unchanged",
          },
        ],
        devfile: {
          schemaVersion: '2.2.0',
          metadata: {
            name: 'shop',
            version: null,
            displayName: null,
            description: null,
          },
          components: [
            {
              name: 'tools',
              type: 'container',
              container: {
                image: 'node',
                env: [],
                endpoints: [
                  {
                    name: 'http',
                    targetPort: 3000,
                    exposure: 'public',
                    protocol: 'http',
                    path: null,
                    secure: false,
                  },
                ],
                memoryLimit: null,
                cpuLimit: null,
                mountSources: true,
                sourceMapping: null,
                command: [],
                args: [],
                volumeMounts: [],
              },
            },
          ],
          commands: [
            {
              id: 'run',
              label: null,
              group: null,
              type: 'exec',
              commandLine: 'echo {{who}}',
              component: 'tools',
              workingDir: null,
              env: [],
            },
          ],
          projects: [],
          starterProjects: [],
          events: { preStart: [], postStart: [], preStop: [], postStop: [] },
          flat: parse(text),
        },
      },
    );
  });

  it('normalises every kind of element', async () => {
    const loader = loaderFor({ [ADDRESS]: stringify(fullDevfile()) });
    const { devfile, warnings } = await loader.load(ADDRESS);
    expect(warnings).toEqual([]);
    expect(devfile.metadata).toMatchObject({ name: 'shop', version: '1.2.3' });
    expect(devfile.components.slice(1)).toEqual([
      { name: 'cache', type: 'volume', size: '2Gi', ephemeral: false },
      { name: 'deploy', type: 'kubernetes', detail: 'deploy.yaml' },
      { name: 'route', type: 'openshift', detail: 'inlined' },
      { name: 'picture', type: 'image', imageName: 'shop:latest' },
    ]);
    expect(devfile.commands.slice(1)).toEqual([
      {
        id: 'build-image',
        label: 'Image',
        group: null,
        type: 'apply',
        component: 'picture',
      },
      {
        id: 'all',
        label: null,
        group: { kind: 'test', isDefault: false },
        type: 'composite',
        commands: ['install', 'build-image'],
        parallel: true,
      },
    ]);
    expect(devfile.projects).toEqual([
      {
        name: 'web',
        type: 'git',
        clonePath: 'src/web',
        remote: { name: 'origin', url: 'https://git.example.org/web.git' },
        otherRemotes: [
          { name: 'fork', url: 'https://git.example.org/fork.git' },
        ],
        revision: 'main',
      },
      {
        name: 'assets',
        type: 'zip',
        clonePath: null,
        location: 'https://example.org/a.zip',
      },
    ]);
    expect(devfile.events.postStart).toEqual(['install']);
  });

  it('lists up to five issues in its error', async () => {
    const components = Array.from({ length: 7 }, (_, index) => ({
      name: `c${index}`,
      container: {},
    }));
    const text = stringify({ schemaVersion: '2.2.2', components });
    const error = await loaderFor({ [ADDRESS]: text })
      .load(ADDRESS)
      .catch((reason: Error) => reason);
    expect(error).toBeInstanceOf(InputError);
    expect(error).toHaveProperty(
      'message',
      `devfile is invalid: ${[0, 1, 2, 3, 4]
        .map(index => `components[${index}].container.image: is required`)
        .join('; ')}; and 2 more`,
    );
  });

  it('joins issues of different checks in one message', async () => {
    const text = [
      'schemaVersion: 2.2.2',
      'commands:',
      '  - {id: a, exec: {component: x, commandLine: "true"}}',
      'events: {postStart: [b]}',
    ].join('\n');
    await expect(loaderFor({ [ADDRESS]: text }).load(ADDRESS)).rejects.toThrow(
      "devfile is invalid: commands[0].exec.component: no component named 'x'; events.postStart[0]: no command with the id 'b'",
    );
  });

  it('returns errors of the address as issues on request', async () => {
    const loader = loaderFor({ [ADDRESS]: 'a: [' });
    await expect(loader.inspect('http://git.example.org/x')).resolves.toEqual({
      devfile: null,
      issues: [{ path: '', message: 'devfileUrl must be an https URL' }],
      warnings: [],
      text: null,
    });
    await expect(loader.load('http://git.example.org/x')).rejects.toThrow(
      InputError,
    );
    const inspection = await loader.inspect(ADDRESS);
    expect(inspection).toMatchObject({ devfile: null, text: 'a: [' });
    expect(inspection.issues[0].message).toMatch(/^line 1, column /);
  });

  it('reports a parent that cannot be read, and nothing that follows from it', async () => {
    const text = stringify({
      schemaVersion: '2.2.2',
      parent: { uri: 'base.yaml' },
      commands: [
        { id: 'a', exec: { component: 'inherited', commandLine: 'x' } },
      ],
    });
    const { issues } = await loaderFor({ [ADDRESS]: text }).inspect(ADDRESS);
    expect(issues).toEqual([
      {
        path: 'parent.uri',
        message:
          'https://git.example.org/team/shop/main/base.yaml answered 404',
      },
    ]);
  });

  it('finds errors that only appear once the parent is merged', async () => {
    const base = ADDRESS.replace('devfile', 'base');
    const { issues } = await loaderFor({
      [ADDRESS]:
        'schemaVersion: 2.2.2\nparent: {uri: base.yaml, variables: {size: big}}',
      [base]: stringify({
        schemaVersion: '2.2.2',
        variables: { size: '1Gi' },
        components: [{ name: 'data', volume: { size: '{{size}}' } }],
      }),
    }).inspect(ADDRESS);
    expect(issues).toEqual([
      {
        path: 'parent',
        message: `in ${base}: components[0].volume.size: must be a quantity such as 512Mi or 500m, and is 'big'`,
      },
    ]);
  });

  it('loads a text that was kept', async () => {
    const text = 'schemaVersion: 2.3.0\nmetadata: {name: Büro 日本 🚀}';
    const { devfile } = await loaderFor({}).loadFromText(text, ADDRESS);
    expect(devfile.metadata.name).toBe('Büro 日本 🚀');
    await expect(loaderFor({}).loadFromText('{}', ADDRESS)).rejects.toThrow(
      'devfile is invalid: schemaVersion: is required',
    );
  });

  it('adds the repository of a devfile that it reads there', async () => {
    const address = 'https://git.example.org/team/shop/raw/branch/main/d.yaml';
    const text = 'schemaVersion: 2.2.2';
    const loader = loaderFor({ [address]: text });
    const { devfile } = await loader.load(address);
    expect(devfile.projects).toMatchObject([
      {
        name: 'shop',
        remote: { url: 'https://git.example.org/team/shop.git' },
        revision: 'main',
      },
    ]);
    expect(devfile.flat?.projects).toHaveLength(1);
    const kept = await loader.loadFromText(text, address);
    expect(kept.devfile.projects).toEqual([]);
  });

  it('shares one allowance of time among a devfile and its parents', async () => {
    let reads = 0;
    const loader = new DevfileLoader({
      reader: {
        timeoutMs: 1_000,
        async read(url, { signal } = {}) {
          reads += 1;
          // The devfile takes most of the time, and its parent less than it would have alone.
          await (reads === 1
            ? sleep(600)
            : Promise.race([once(signal!, 'abort'), sleep(900)]));
          if (reads > 1 && signal!.aborted) {
            throw new InputError(`${url} is late`);
          }
          return 'schemaVersion: 2.2.2\nparent: {uri: p.yaml}';
        },
      },
    });
    const { issues } = await loader.inspect(ADDRESS);
    expect(issues).toEqual([
      {
        path: 'parent.uri',
        message: 'https://git.example.org/team/shop/main/p.yaml is late',
      },
    ]);
  });
});
