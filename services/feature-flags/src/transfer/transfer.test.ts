import { testDatabaseClients } from '@slipway/service-kit/testing';
import { environmentExport } from '../__testUtils__/exports.ts';
import { anError, flagsSuite } from '../__testUtils__/flagsSuite.ts';
import {
  ADMIN_TOKEN,
  CLIENT_TOKEN,
} from '../__testUtils__/startFeatureFlags.ts';

const EU = [{ contextName: 'userId', operator: 'IN', values: ['7'] }];

/** Returns functions that call the import routes of a suite's service. */
const importsTo = (suite: ReturnType<typeof flagsSuite>) => ({
  importing: (body: object) =>
    suite.calls.admin('POST', '/features-batch/import', body),
  validating: (body: object) =>
    suite.calls.admin('POST', '/features-batch/validate', body),
  createSegment: () =>
    suite.calls.admin('POST', '/segments', { name: 'eu', constraints: EU }),
});

describe.each(testDatabaseClients())('importing from Unleash on %s', client => {
  const suite = flagsSuite(client);
  const { importing, validating, createSegment } = importsTo(suite);

  it('imports an export of one environment unchanged', async () => {
    await createSegment();
    const data = environmentExport();
    const dry = await validating({ data });
    expect([dry.status, dry.body.errors]).toEqual([200, []]);
    expect(await suite.calls.features()).toEqual([]);

    const { status, body } = await importing({ data });
    expect([status, body]).toEqual([200, dry.body]);
    expect(body.changes).toEqual({
      environments: [],
      projects: [],
      contextFields: ['region'],
      segments: [],
      created: ['child', 'parent', 'plain'],
      updated: [],
      unchanged: [],
    });
    expect(body.warnings).toEqual([
      {
        message: 'The icons and colours of tag types are left out',
        affectedItems: ['team'],
      },
      {
        message:
          'The export does not contain the constraints of segments: the existing segment of the same name is used',
        affectedItems: ['eu'],
      },
    ]);
    const { body: flag } = await suite.calls.admin('GET', '/features/child');
    expect(flag).toMatchObject({
      description: 'Needs the parent',
      enabled: true,
      dependencies: [{ feature: 'parent', enabled: true }],
      tags: [{ type: 'team', value: 'search' }],
      links: [{ url: 'https://example.org/x', title: 'X' }],
      strategies: [
        {
          name: 'flexibleRollout',
          title: 'Half',
          segments: [1],
          constraints: [
            { contextName: 'region' },
            { operator: 'NUM_GT', value: '5', inverted: true },
          ],
          variants: [{ name: 'a', payload: { type: 'string', value: 'x' } }],
        },
        { name: 'default', disabled: true },
      ],
    });
    const again = await importing({ data });
    expect(again.body.changes).toMatchObject({
      created: [],
      updated: [],
      unchanged: ['child', 'parent', 'plain'],
    });
    const { body: exported } = await suite.calls.admin(
      'POST',
      '/features-batch/export',
      { environment: 'development', project: 'default' },
    );
    expect(Object.keys(exported).sort()).toEqual(Object.keys(data).sort());
    expect(exported.featureStrategies).toEqual(
      data.featureStrategies.map(({ segments, ...each }) => ({
        ...each,
        segments: segments.map(() => 1),
      })),
    );
  });

  it('imports nothing if anything prevents it, and says what', async () => {
    const data = environmentExport();
    data.dependencies.push({
      feature: 'plain',
      dependencies: [
        { feature: 'none', enabled: true },
        { feature: 'parent', enabled: true },
        { feature: 'parent', enabled: true },
        { feature: 'child', enabled: true },
        { feature: 'child', enabled: false },
      ],
    });
    const { status, body } = await validating({ data });
    expect(status).toBe(200);
    expect(body.errors).toEqual([
      {
        message:
          'The export contains contradictory dependencies on child: keep one of them',
        affectedItems: ['plain'],
      },
      {
        message:
          'The export does not contain the constraints of this segment, and no segment of this name exists here: create it first',
        affectedItems: ['eu'],
      },
      {
        message: 'The parent flag none does not exist',
        affectedItems: ['plain'],
      },
    ]);
    expect(body.warnings).toContainEqual({
      message: 'A repeated dependency is imported once',
      affectedItems: ['plain'],
    });
    const refused = await importing({ data });
    expect(refused.status).toBe(400);
    expect(refused.body).toEqual(
      anError(
        'BadDataError',
        'The export contains contradictory dependencies on child: keep one of them: plain; 2 more: validate lists them',
      ),
    );
    const { body: list } = await suite.calls.admin('GET', '/features');
    expect(list.features).toEqual([]);
    const { body: fields } = await suite.calls.admin('GET', '/context');
    expect(fields).not.toContainEqual(
      expect.objectContaining({ name: 'region' }),
    );
  });

  it('imports into another project and environment, and says what it overwrites', async () => {
    await createSegment();
    await suite.calls.admin('POST', '/projects', { id: 'shop' });
    const data = environmentExport();
    const target = { project: 'shop', environment: 'production', data };
    expect((await importing(target)).status).toBe(200);
    data.featureEnvironments[0].enabled = false;
    const { body } = await importing(target);
    expect(body.changes.updated).toEqual([
      {
        name: 'child',
        fields: [
          { field: 'environments.production.enabled', from: true, to: false },
        ],
      },
    ]);
    expect(body.warnings).toContainEqual({
      message: 'The flag exists and is overwritten',
      affectedItems: ['child'],
    });
    const { body: events } = await suite.calls.admin(
      'GET',
      '/events?featureName=child&limit=1',
    );
    expect(events.events[0]).toMatchObject({
      type: 'feature-updated',
      environment: 'production',
      createdBy: 'token:test-admin',
    });
    expect(await suite.calls.features()).toMatchObject([
      { name: 'child', enabled: false },
      { name: 'parent', enabled: false },
      { name: 'plain', enabled: false },
    ]);

    for (const wrong of [{ project: 'none' }, { environment: 'none' }]) {
      const { body: report } = await validating({ ...wrong, data });
      expect(report.errors).toContainEqual({
        message: expect.stringMatching(/^(Environment|Project) not found$/),
        affectedItems: ['none'],
      });
    }
    const { body: elsewhere } = await validating({ data });
    expect(elsewhere.errors).toContainEqual({
      message: 'Here, the flag is in the project shop',
      affectedItems: ['child', 'parent', 'plain'],
    });
  });

  it('exports a project in one environment, to import it into others', async () => {
    await createSegment();
    const rule = (segments: number[]) => ({
      id: 'shared',
      name: 'default',
      parameters: {},
      ...(segments.length > 0 && { segments }),
    });
    for (const name of ['all', 'some']) {
      await suite.calls.create(name, { project: 'shop' });
      for (const environment of ['development', 'production']) {
        const isLimited = name === 'some' && environment === 'production';
        await suite.calls.admin(
          'PATCH',
          `/projects/shop/features/${name}/environments/${environment}`,
          { enabled: true, strategies: [rule(isLimited ? [1] : [])] },
        );
      }
    }
    await suite.calls.create('other');
    const { body: everything } = await suite.calls.admin(
      'GET',
      '/state/export',
    );
    const again = await suite.calls.admin(
      'POST',
      '/state/import?dryRun=true',
      everything,
    );
    // Strategies that share an id keep their own segments.
    expect(
      again.body.changes.updated.flatMap(
        ({ fields }: { fields: { to: { segments?: string[] }[] }[] }) =>
          fields.map(({ to: [{ segments = [] }] }) => segments.length),
      ),
    ).toEqual([0, 0, 1]);

    const { body } = await suite.calls.admin(
      'GET',
      '/state/export?project=shop&environment=production',
    );
    expect(body).toMatchObject({
      features: [{ name: 'all' }, { name: 'some' }],
      featureEnvironments: [
        { featureName: 'all', environment: 'production' },
        { featureName: 'some', environment: 'production' },
      ],
      segments: [{ name: 'eu', constraints: EU }],
      environments: [{ name: 'production' }],
      projects: [{ id: 'shop' }],
    });
    const { body: report } = await suite.calls.admin(
      'POST',
      '/state/import?environment=development',
      body,
    );
    expect(report.changes.updated).toMatchObject([
      {
        name: 'some',
        fields: [
          {
            field: 'environments.development.strategies',
            to: [{ segments: ['eu'] }],
          },
        ],
      },
    ]);
    for (const query of ['project=none', 'environment=none']) {
      const { status } = await suite.calls.admin(
        'GET',
        `/state/export?${query}`,
      );
      expect(status).toBe(404);
    }
  });

  it('overwrites only what its report lists', async () => {
    await suite.calls.create('a');
    const data = { features: [{ name: 'a', description: 'Imported' }] };
    const run = (query: string, etag?: string) =>
      suite.calls.send('POST', `/api/admin/state/import${query}`, {
        token: ADMIN_TOKEN,
        payload: data,
        headers: etag === undefined ? {} : { 'if-match': etag },
      });
    const { body: report } = await run('?dryRun=true');
    await suite.calls.admin('POST', '/features/a/toggle/on');
    expect((await run('?dryRun=true')).body.etag).toBe(report.etag);
    await suite.calls.admin('PATCH', '/features/a', { description: 'Edited' });
    const refused = await run('', report.etag);
    expect([refused.status, refused.body.name]).toEqual([
      412,
      'PreconditionFailedError',
    ]);
    const { body: flag } = await suite.calls.admin('GET', '/features/a');
    expect(flag.description).toBe('Edited');
    const { body: latest } = await run('?dryRun=true');
    expect((await run('', latest.etag)).body).toEqual(latest);
  });

  it('warns of names that differ only in case, and of strategies that SDKs lack', async () => {
    await createSegment();
    await suite.calls.create('Plain');
    const data = environmentExport();
    data.featureStrategies[2].name = 'country';
    const { body } = await validating({
      data: {
        ...data,
        segments: [...data.segments, { id: 2, name: 'EU', constraints: EU }],
        environments: [{ name: 'Production' }],
        projects: [{ id: 'Default' }],
      },
    });
    const differs = (what: string, name: string) =>
      `The name differs from that of the ${what} ${name} only in case`;
    expect(body.warnings).toEqual(
      expect.arrayContaining([
        {
          message: differs('environment', 'production'),
          affectedItems: ['Production'],
        },
        { message: differs('project', 'default'), affectedItems: ['Default'] },
        { message: differs('flag', 'Plain'), affectedItems: ['plain'] },
        { message: differs('segment', 'eu'), affectedItems: ['EU'] },
        {
          message:
            'The strategy country matches nobody unless the application implements it',
          affectedItems: ['parent'],
        },
      ]),
    );
  });

  it('imports segments of a project into the target project', async () => {
    await suite.calls.admin('POST', '/projects', { id: 'shop' });
    const data = {
      features: [],
      segments: [
        { id: 1, name: 'own', project: 'elsewhere', constraints: EU },
        { id: 2, name: 'all', project: null, constraints: EU },
      ],
    };
    const projectsOf = async () => {
      const { body } = await suite.calls.admin('GET', '/segments');
      return body.segments.map(
        ({ project }: { project: string | null }) => project,
      );
    };
    await suite.calls.admin('POST', '/state/import?project=shop', data);
    expect(await projectsOf()).toEqual(['shop', null]);
    data.segments[0].name = 'other';
    const refused = await suite.calls.admin(
      'POST',
      '/state/import?project=nowhere',
      data,
    );
    expect(refused.status).toBe(400);
    expect(refused.body.message).toBe('Project not found: nowhere');
    const { body } = await suite.calls.admin('POST', '/state/import', data);
    expect(body.changes.projects).toEqual(['elsewhere']);
  });

  it('refuses unknown formats, and changes in protected environments', async () => {
    await createSegment();
    const unknown = environmentExport();
    Object.assign(unknown.featureStrategies[0], { onlyFor: 'ada' });
    const { status, body } = await validating({ data: unknown });
    expect([status, body.message]).toEqual([
      400,
      expect.stringContaining('data.featureStrategies.0'),
    ]);

    await suite.calls.admin('POST', '/environments', {
      name: 'live',
      protected: true,
    });
    const { body: report } = await validating({
      environment: 'live',
      data: environmentExport(),
    });
    expect(report.errors).toContainEqual({
      message:
        'live is protected: its flags can only be changed through change requests',
      affectedItems: ['child', 'parent'],
    });
  });

  it('imports the state of an old server: several environments, segments and legacy strategies', async () => {
    const { status, body } = await suite.calls.admin('POST', '/state/import', {
      version: 4,
      features: [
        {
          name: 'old',
          description: null,
          type: 'release',
          project: 'other',
          variants: [{ name: 'control', weight: 50 }],
          createdAt: '2022-03-17T20:18:55.643Z',
          lastSeenAt: null,
        },
      ],
      strategies: [{ name: 'country', parameters: [] }],
      featureStrategies: [
        {
          id: 'second',
          featureName: 'old',
          projectId: 'other',
          environment: 'staging',
          strategyName: 'userWithId',
          parameters: { userIds: '1,2' },
          constraints: [],
          sortOrder: 2,
        },
        {
          id: 'first',
          featureName: 'old',
          projectId: 'other',
          environment: 'staging',
          strategyName: 'gradualRolloutUserId',
          parameters: { percentage: 150 },
          constraints: [],
          sortOrder: 1,
        },
      ],
      featureEnvironments: [
        { enabled: true, featureName: 'old', environment: 'staging' },
        { enabled: false, featureName: 'old', environment: 'development' },
      ],
      segments: [{ id: 9, name: 'seven', description: null, constraints: EU }],
      featureStrategySegments: [{ featureStrategyId: 'second', segmentId: 9 }],
      environments: [{ name: 'staging', type: 'preproduction' }],
      projects: [{ id: 'other', name: 'Other' }],
    });
    expect(status).toBe(200);
    expect(body.changes).toMatchObject({
      environments: ['staging'],
      projects: ['other'],
      segments: ['seven'],
      created: ['old'],
    });
    expect(body.warnings).toEqual([
      {
        message: expect.stringMatching(/^Definitions of custom strategies/),
        affectedItems: ['country'],
      },
      {
        message:
          'strategies.0.parameters.percentage must be a whole number from 0 to 100, as a string: imported as it is',
        affectedItems: ['old'],
      },
    ]);
    const { body: flag } = await suite.calls.admin(
      'GET',
      '/projects/other/features/old',
    );
    expect(flag).toMatchObject({ createdAt: '2022-03-17T20:18:55.643Z' });
    const staging = flag.environments.find(
      ({ name }: { name: string }) => name === 'staging',
    );
    expect(staging).toMatchObject({
      enabled: true,
      type: 'preproduction',
      variants: [{ name: 'control', weight: 50 }],
      strategies: [
        { name: 'gradualRolloutUserId', parameters: { percentage: '150' } },
        { name: 'userWithId', segments: [1] },
      ],
    });
  });

  it('requires the environment for exports of the oldest format', async () => {
    const data = {
      features: [
        { name: 'x', enabled: true, strategies: [{ name: 'default' }] },
      ],
    };
    const { body } = await validating({ data });
    expect(body.errors).toEqual([
      {
        message:
          'The export does not name its environment: name the one to import it into',
        affectedItems: ['environment'],
      },
    ]);
    const path = '/state/import?environment=development';
    const dry = await suite.calls.admin('POST', `${path}&dryRun=true`, data);
    expect(dry.body.changes.created).toEqual(['x']);
    expect(await suite.calls.features()).toEqual([]);
    await suite.calls.admin('POST', path, data);
    expect(await suite.calls.features()).toMatchObject([
      { name: 'x', enabled: true },
    ]);
  });
});

// These tests import nothing, so they share a service.
describe.each(testDatabaseClients())(
  'checking an import from Unleash on %s',
  client => {
    const suite = flagsSuite(client, 'block');
    const { importing, validating, createSegment } = importsTo(suite);
    beforeAll(createSegment);

    it.each([
      ['features', { name: 'other', type: 't'.repeat(65) }],
      [
        'featureEnvironments',
        { featureName: 'plain', environment: 'e'.repeat(101), enabled: true },
      ],
      ['segments', { id: 9, name: 'us', project: 'p'.repeat(101) }],
      ['contextFields', { name: 'other', sortOrder: 2 ** 31 }],
      ['environments', { name: 'e'.repeat(101) }],
      ['environments', { name: 'other', type: 't'.repeat(65) }],
      ['environments', { name: 'other', sortOrder: -(2 ** 31) - 1 }],
      ['projects', { id: 'p'.repeat(101) }],
    ])('refuses %s that cannot be stored: %j', async (field, entry) => {
      const data = { environments: [], projects: [], ...environmentExport() };
      Object.assign(data, { [field]: [...data[field as never], entry] });
      const { status, body } = await importing({ data });
      expect([status, body.message]).toEqual([
        400,
        expect.stringContaining(`data.${field}.`),
      ]);
    });

    it.each([
      ['features', 'name', { name: 'plain', description: 'Another' }],
      [
        'featureEnvironments',
        'flag and environment',
        { featureName: 'plain', environment: 'development', enabled: true },
      ],
      ['segments', 'name', { id: 2, name: 'eu' }],
      ['segments', 'id', { id: 1, name: 'us' }],
      ['contextFields', 'name', { name: 'region', stickiness: true }],
      ['environments', 'name', { name: 'staging', enabled: false }],
      ['projects', 'id', { id: 'default', name: 'Another' }],
    ])('refuses %s with the same %s twice', async (field, key, entry) => {
      const data = {
        environments: [{ name: 'staging' }],
        projects: [{ id: 'default' }],
        ...environmentExport(),
      };
      Object.assign(data, { [field]: [...data[field as never], entry] });
      const message = `${field} must not contain the same ${key} twice`;
      const { status, body } = await importing({ data });
      expect([status, body]).toEqual([
        400,
        anError(
          'BadDataError',
          expect.stringMatching(new RegExp(`^${message}: `)),
        ),
      ]);
      const { body: report } = await validating({ data });
      expect(report.errors[0]).toMatchObject({ message });
      expect(await suite.calls.features()).toEqual([]);
    });

    it('says where it cannot know which strategy comes first', async () => {
      const data = environmentExport();
      data.featureStrategies[1].disabled = false;
      const { body } = await validating({ data });
      expect(body.warnings).toContainEqual({
        message:
          'The export does not contain the order of strategies, which decides whose variants apply: check it after the import',
        affectedItems: ['child'],
      });
      data.featureStrategies.forEach((each, sortOrder) =>
        Object.assign(each, { sortOrder }),
      );
      const { body: ordered } = await validating({ data });
      expect(JSON.stringify(ordered.warnings)).not.toContain('order');
    });

    it('is for admins only, and exports by exactly one filter', async () => {
      const { status } = await suite.calls.send(
        'POST',
        '/api/admin/features-batch/import',
        { token: CLIENT_TOKEN, payload: { data: { features: [] } } },
      );
      expect(status).toBe(403);
      for (const filter of [{}, { project: 'default', tag: 'x' }]) {
        const answer = await suite.calls.admin(
          'POST',
          '/features-batch/export',
          {
            environment: 'development',
            ...filter,
          },
        );
        expect([answer.status, answer.body.name]).toEqual([
          400,
          'BadDataError',
        ]);
      }
      const none = await suite.calls.admin('POST', '/features-batch/export', {
        environment: 'none',
        features: [],
      });
      expect(none.status).toBe(404);
    });
  },
);
