import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  openTestDatabase,
  testDatabaseClients,
} from '@slipway/service-kit/testing';
import { parse } from 'yaml';
import { anError, flagsSuite } from '../__testUtils__/flagsSuite.ts';
import {
  ADMIN_TOKEN,
  callsTo,
  startFeatureFlags,
} from '../__testUtils__/startFeatureFlags.ts';
import { run } from '../cli/run.ts';
import { definitionsSchema } from './routes.ts';
import { featureFlags } from '../service.ts';

const FLAGS = `
version: 1
segments:
  - name: europe
    constraints:
      - { contextName: region, operator: IN, values: [eu] }
flags:
  - name: checkout
    description: The form in one step
    tags: [{ type: simple, value: shop }]
    environments:
      development:
        enabled: true
        strategies:
          - name: flexibleRollout
            parameters: { rollout: 25, stickiness: default, groupId: checkout }
            segments: [europe]
`;

describe.each(testDatabaseClients())('flags as code on %s', client => {
  const suite = flagsSuite(client);
  let directory: string;
  let file: string;
  let url: string;

  beforeEach(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'flags-'));
    file = path.join(directory, 'flags.yaml');
    await writeFile(file, FLAGS);
    url = await suite.service.start();
  });

  afterEach(() => rm(directory, { recursive: true, force: true }));

  const yarnFlags = async (...args: string[]) => {
    let output = '';
    const write = (text: string) => {
      output += text;
    };
    const code = await run(args, {
      environment: { FLAGS_URL: url, FLAGS_TOKEN: ADMIN_TOKEN },
      stdout: { write },
      stderr: { write },
    });
    return { code, output };
  };

  it('are compared, applied and exported', async () => {
    const diff = await yarnFlags('diff', '--file', file);
    expect(diff).toEqual({
      code: 1,
      output:
        '~ segment europe\n+ checkout\n1 created, 0 changed, 0 unchanged\n',
    });
    expect(await suite.calls.features()).toEqual([]);
    expect((await yarnFlags('apply', '--file', file)).code).toBe(0);
    expect(await suite.calls.features()).toMatchObject([
      {
        name: 'checkout',
        enabled: true,
        strategies: [{ parameters: { rollout: '25' } }],
      },
    ]);
    expect((await yarnFlags('diff', '--file', file)).code).toBe(0);

    const out = path.join(directory, 'out.yaml');
    await yarnFlags('export', '--file', out);
    expect(parse(await readFile(out, 'utf8'))).toMatchObject({
      version: 1,
      segments: [{ name: 'europe' }],
      flags: [
        {
          name: 'checkout',
          project: 'default',
          environments: {
            development: { strategies: [{ segments: ['europe'] }] },
          },
        },
      ],
    });
    expect((await yarnFlags('diff', '--file', out)).code).toBe(0);

    await writeFile(
      file,
      FLAGS.replace('rollout: 25', 'rollout: 50').replace('[eu]', '[eu, ch]'),
    );
    const changed = await yarnFlags('apply', '--file', file);
    expect(changed.output).toContain('~ segment europe\n~ checkout\n');
    expect(changed.output).toContain('environments.development.strategies');
    const { body } = await suite.calls.admin('GET', '/segments');
    expect(body.segments[0].constraints[0].values).toEqual(['eu', 'ch']);
  });

  it('create the project of a segment', async () => {
    const { body } = await suite.calls.admin('POST', '/definitions/apply', {
      version: 1,
      flags: [],
      segments: [{ name: 'own', project: 'shop', constraints: [] }],
    });
    expect(body.changes.projects).toEqual(['shop']);
    const projects = await suite.calls.admin('GET', '/projects');
    expect(projects.body.projects).toEqual(
      expect.arrayContaining([expect.objectContaining({ id: 'shop' })]),
    );
  });

  it('refuse a segment and a flag that are defined twice', async () => {
    const segment = { name: 'europe', constraints: [] };
    const flag = { name: 'checkout' };
    for (const [twice, message] of [
      [
        { segments: [segment, segment], flags: [] },
        'segments must not contain the same name twice: europe',
      ],
      [
        { flags: [flag, flag] },
        'flags must not contain the same name twice: checkout',
      ],
    ] as const) {
      const response = await suite.calls.admin('POST', '/definitions/apply', {
        version: 1,
        ...twice,
      });
      expect([response.status, response.body]).toEqual([
        400,
        anError('BadDataError', message),
      ]);
    }
  });

  it('leave links as they are', async () => {
    await suite.calls.create('checkout');
    for (const host of ['one', 'two']) {
      await suite.calls.admin(
        'POST',
        '/projects/default/features/checkout/link',
        { url: `https://${host}.example` },
      );
    }
    const links = async () =>
      (await suite.calls.admin('GET', '/features/checkout')).body.links as {
        id: string;
        url: string;
      }[];
    const [one, two] = await links();
    await yarnFlags('export', '--file', file);
    expect((await yarnFlags('diff', '--file', file)).code).toBe(0);

    const exported = await readFile(file, 'utf8');
    await writeFile(file, exported.replace('one.example', 'new.example'));
    await yarnFlags('apply', '--file', file);
    const changed = await links();
    expect(changed).toEqual([
      { id: expect.any(String), url: 'https://new.example' },
      two,
    ]);
    expect(new Set([one, ...changed].map(({ id }) => id)).size).toBe(3);
  });

  it('request changes of protected environments, and apply the others', async () => {
    await suite.calls.admin('POST', '/environments', {
      name: 'live',
      protected: true,
    });
    const live = `${FLAGS}      live:
        enabled: true
        strategies:
          - { name: default, segments: [europe] }
`;
    await writeFile(file, live);
    const diff = await yarnFlags('diff', '--file', file);
    expect(diff.output).toContain('? checkout in live: has to be approved');
    const applied = await yarnFlags('apply', '--file', file);
    expect(applied).toEqual({
      code: 0,
      output: expect.stringContaining('? checkout in live: change request 1'),
    });
    const { body } = await suite.calls.admin('GET', '/change-requests/1');
    expect(body).toMatchObject({
      featureName: 'checkout',
      environment: 'live',
      state: 'In review',
    });
    // Applying the file again requests nothing else, and keeps the reviews.
    await yarnFlags('apply', '--file', file);
    const { body: list } = await suite.calls.admin('GET', '/change-requests');
    expect(list.changeRequests).toEqual([body]);
    const edited = live.replace(
      'default, segments',
      'default, title: All, segments',
    );
    await writeFile(file, edited);
    await yarnFlags('apply', '--file', file);
    const { body: joined } = await suite.calls.admin('GET', '/change-requests');
    expect(joined.changeRequests).toMatchObject([
      { id: 1, change: { after: { strategies: [{ title: 'All' }] } } },
    ]);
  });

  it('are refused as a whole if anything is invalid, naming the field', async () => {
    await writeFile(file, FLAGS.replace('rollout: 25', 'rollout: 250'));
    const wrong = await yarnFlags('apply', '--file', file);
    expect(wrong).toEqual({
      code: 2,
      output: expect.stringContaining('must be a whole number from 0 to 100'),
    });
    await writeFile(file, FLAGS.replace('segments: [europe]', 'segment: x'));
    const unknown = await yarnFlags('diff', '--file', file);
    expect(unknown).toEqual({
      code: 2,
      output: expect.stringContaining('flags.0.environments.development'),
    });
    expect(await suite.calls.features()).toEqual([]);
    const { code, output } = await yarnFlags('merge');
    expect([code, output]).toEqual([2, expect.stringContaining('yarn flags')]);
  });

  it('are applied at start; the service does not start if they are invalid', async () => {
    const start = async () => {
      const { database, dispose } = await openTestDatabase(
        client,
        featureFlags,
      );
      try {
        const service = await startFeatureFlags({
          database,
          config: { definitions: path.basename(file) },
          repository: { root: path.dirname(file), version: '0' },
        });
        const flags = await callsTo(service).features();
        const { body } = await callsTo(service).admin('GET', '/events');
        await service.stop();
        return { flags, by: body.events[0].createdBy };
      } finally {
        await dispose();
      }
    };
    expect(await start()).toMatchObject({
      flags: [{ name: 'checkout', enabled: true }],
      by: 'configuration',
    });
    await writeFile(file, FLAGS.replace('version: 1', 'version: 2'));
    await expect(start()).rejects.toThrow(/featureFlags\.definitions.*version/);
  });

  it('have a published schema', async () => {
    const { body } = await suite.calls.admin('GET', '/definitions/schema');
    expect(body).toEqual(definitionsSchema());
    const published = new URL('../../flags.schema.json', import.meta.url);
    expect(JSON.parse(await readFile(published, 'utf8'))).toEqual(body);
    // Editors that read the first line of an exported file send no token.
    const { status } = await suite.calls.send(
      'GET',
      '/api/admin/definitions/schema',
    );
    expect(status).toBe(200);
  });
});
