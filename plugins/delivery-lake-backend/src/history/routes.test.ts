import {
  mockCredentials,
  mockServices,
  TestDatabases,
} from '@backstage/backend-test-utils';
import { AuthorizeResult } from '@backstage/plugin-permission-common';
import { startReadRoutes } from '../metrics/__testUtils__/startReadRoutes';
import { deploymentRow, incidentRow, insertRows } from './__testUtils__/rows';

const databases = TestDatabases.create({ ids: ['SQLITE_3', 'POSTGRES_18'] });

const DAY = 24 * 3_600_000;
/** Rows count their times in seconds from the beginning of 1970. */
const NOW = 5 * DAY;

const SERVICES = [
  {
    ...{ id: 1, name: 'till', entity_ref: 'component:default/till' },
    ...{ team: 'group:default/payments', project: 'system:default/shop' },
  },
  {
    ...{ id: 2, name: 'shop/till', entity_ref: 'component:default/till' },
    ...{ team: 'group:default/payments', project: 'system:default/shop' },
  },
  { id: 3, name: 'stray' },
];

describe.each(databases.eachSupportedId())('on %s', databaseId => {
  async function start(
    tables: Record<string, object[]> = {},
    options: Partial<Parameters<typeof startReadRoutes>[0]> = {},
  ) {
    return startReadRoutes({
      now: NOW,
      knex: await databases.init(databaseId),
      fill: db => insertRows(db, { services: SERVICES, ...tables }),
      directory: {
        till: {
          match: 'known',
          ownership: {
            entityRef: 'component:default/till',
            team: 'group:default/payments',
            project: 'system:default/shop',
          },
        },
      },
      ...options,
    });
  }
  const idsOf = (deployments: { id: string }[]) =>
    deployments.map(({ id }) => Number(id.replace(/^\w+-/, '')));

  describe('GET /deployment-history', () => {
    it('answers the contract’s fields', async () => {
      const { get } = await start({
        deployments: [
          deploymentRow(1, {
            ...{ started_at: 1_000, finished_at: 62_600 },
            ...{
              commit_sha: 'abc',
              commit_message: 'Fix',
              commit_author: 'Ada',
            },
          }),
          deploymentRow(2, {
            ...{ status: 'IN_PROGRESS', finished_at: null, counted: 0 },
          }),
        ],
      });
      const { status, body } = await get('/deployment-history?service=till');

      expect(status).toBe(200);
      expect(body).toEqual({
        service: 'till',
        deployments: [
          {
            id: 'deploy-2',
            version: '1.2',
            environment: 'prod',
            status: 'IN_PROGRESS',
            startTime: '1970-01-01T00:00:02.000Z',
            endTime: null,
            duration: null,
            triggeredBy: 'ada',
            commit: { sha: '', message: '', author: '' },
          },
          {
            id: 'deploy-1',
            version: '1.1',
            environment: 'prod',
            status: 'SUCCESS',
            startTime: '1970-01-01T00:00:01.000Z',
            endTime: '1970-01-01T00:01:02.600Z',
            duration: 62,
            triggeredBy: 'ada',
            commit: { sha: 'abc', message: 'Fix', author: 'Ada' },
          },
        ],
        total: 2,
      });
    });

    it('gives the latest of all that a component is called, and counts the rest', async () => {
      const deployments = Array.from({ length: 30 }, (_, index) =>
        deploymentRow(index + 1, { service_id: (index % 3) + 1 }),
      );
      const { get, deriver } = await start({ deployments });
      const newest = [29, 28, 26, 25, 23, 22, 20, 19, 17, 16, 14, 13, 11, 10];

      const all = await get('/deployment-history?service=till&limit=100');
      expect(all.body.total).toBe(20);
      expect(idsOf(all.body.deployments).slice(0, 14)).toEqual(newest);
      const some = await get('/deployment-history?service=till&limit=3');
      expect(some.body.total).toBe(20);
      expect(idsOf(some.body.deployments)).toEqual(newest.slice(0, 3));
      const stray = await get('/deployment-history?service=stray');
      expect(stray.body.total).toBe(10);
      // Nothing that it answers is derived.
      expect(deriver.drained).toEqual([]);
    });

    it('gives twenty by default, those that started at once by order of arrival', async () => {
      const deployments = Array.from({ length: 25 }, (_, index) =>
        deploymentRow(index + 1, { started_at: 7 }),
      );
      const { get } = await start({ deployments });
      const { body } = await get('/deployment-history?service=till');
      expect(body.total).toBe(25);
      expect(idsOf(body.deployments)).toEqual(
        Array.from({ length: 20 }, (_, index) => 25 - index),
      );
    });

    it('filters by environment', async () => {
      const { get } = await start({
        deployments: ['prod', 'dev', 'staging', 'sandbox', 'dev'].map(
          (environment, index) => deploymentRow(index + 1, { environment }),
        ),
      });
      const of = async (environment: string) => {
        const { body } = await get(
          `/deployment-history?service=till&environment=${environment}`,
        );
        return [idsOf(body.deployments), body.total];
      };
      expect(await of('prod')).toEqual([[1], 1]);
      expect(await of('dev')).toEqual([[5, 2], 2]);
      expect(await of('staging')).toEqual([[3], 1]);
    });

    it('knows nothing of a service that nobody reported', async () => {
      const { get } = await start();
      const { status, body } = await get('/deployment-history?service=nobody');
      expect(status).toBe(200);
      expect(body).toEqual({ service: 'nobody', deployments: [], total: 0 });
    });

    it.each<[string, RegExp]>([
      ['', /^service is required$/],
      ['?service=', /^service: must not be empty/],
      ['?service=a%00', /^service: must not contain control characters/],
      ['?service=a&service=b', /^service: /],
      [
        '?service=a&environment=production',
        /^environment: must be one of dev, staging, prod$/,
      ],
      ['?service=a&environment=', /^environment: must be one of/],
      ...['0', '101', '-1', '1.5', 'ten', '', '1e1', '9999999999'].map(
        (limit): [string, RegExp] => [
          `?service=a&limit=${limit}`,
          /^limit: must be a whole number from 1 to 100$/,
        ],
      ),
    ])('answers 400 to %j', async (query, message) => {
      const { get } = await start();
      const { status, body } = await get(`/deployment-history${query}`);
      expect(status).toBe(400);
      expect(body).toEqual({ error: expect.stringMatching(message) });
    });
  });

  describe('GET /deployments', () => {
    it('tells what is known of each', async () => {
      const { get, deriver } = await start({
        repositories: [{ id: 1, name: 'shop/till' }],
        deployments: [
          deploymentRow(1, {
            ...{ repository_id: 1, url: 'https://ci.example.org/1' },
            ...{ failed: 1, failure_cause: 'guess', recovered_at: 9_000 },
            ...{ rework: 1, rework_cause: 'declared' },
          }),
          deploymentRow(2, { service_id: 3 }),
        ],
        incidents: [
          incidentRow(1, { deployment_id: 1, attribution: 'guessed' }),
          incidentRow(2, { deployment_id: 1, attribution: 'linked' }),
        ],
      });
      const { body } = await get('/deployments?startDate=1970-01-01');

      expect(deriver.drained).toEqual(['all']);
      expect(body).toMatchObject({ total: 2, nextCursor: null });
      expect(body.deployments[0]).toMatchObject({
        ...{ service: 'stray', entityRef: null, team: null, project: null },
        ...{ repository: null, failed: false, incidents: [] },
      });
      expect(body.deployments[1]).toMatchObject({
        id: 'deploy-1',
        service: 'till',
        entityRef: 'component:default/till',
        team: 'payments',
        project: 'shop',
        repository: 'shop/till',
        url: 'https://ci.example.org/1',
        source: 'ci',
        counted: true,
        failed: true,
        failureCause: 'guess',
        rework: true,
        reworkCause: 'declared',
        recoveredAt: '1970-01-01T00:00:09.000Z',
        incidents: [
          { id: 'incident-1', title: 'Outage 1', guessed: true },
          { id: 'incident-2', title: 'Outage 2', guessed: false },
        ],
      });
    });

    it('goes by cursor through all of them, once each, newest first', async () => {
      const deployments = Array.from({ length: 23 }, (_, index) =>
        // Many at the same moment, and one that runs still.
        deploymentRow(index + 1, {
          finished_at: index === 20 ? null : 1_000 * Math.floor(index / 5),
          started_at: 0,
        }),
      );
      const { get } = await start({ deployments });
      const seen: number[] = [];
      let cursor: string | null = '';
      do {
        const { body } = await get(
          `/deployments?limit=4&startDate=1970-01-01&cursor=${cursor}`,
        );
        expect(body.total).toBe(23);
        seen.push(...idsOf(body.deployments));
        cursor = body.nextCursor;
      } while (cursor);

      expect(seen).toHaveLength(23);
      expect(new Set(seen).size).toBe(23);
      expect(seen.slice(0, 6)).toEqual([23, 22, 20, 19, 18, 17]);
      expect(seen.slice(-6)).toEqual([21, 5, 4, 3, 2, 1]);
    });

    it.each([
      ['team=payments', [6, 5, 4, 3, 1]],
      ['service=stray', [2]],
      ['project=shop&environment=dev', [4]],
      ['environment=DEV', [4]],
      ['status=FAILURE', [5]],
      ['failed=true', [3]],
      ['failed=false', [6, 4, 2, 1]],
      ['q=Hot_Fix', [6]],
      ['q=HOT', [6, 1]],
      ['q=100%25', [1]],
      ['q=stray', [2]],
      ['q=RUN-4', [4]],
      ['q=nothing', []],
      [
        'startDate=1970-01-01T00:00:03Z&endDate=1970-01-01T00:00:05.501Z',
        [5, 4, 3],
      ],
      [
        'startDate=1970-01-01T00:00:03.500Z&endDate=1970-01-01T00:00:04.500Z',
        [3],
      ],
      ['startDate=1970-01-02', []],
    ])('filters by %s', async (query, ids) => {
      const { get } = await start({
        deployments: [
          deploymentRow(1, { commit_message: 'hot, 100% sure' }),
          deploymentRow(2, { service_id: 3 }),
          deploymentRow(3, { failed: 1, failure_cause: 'rollback' }),
          deploymentRow(4, { environment: 'dev' }),
          deploymentRow(5, { status: 'FAILURE', counted: 0 }),
          deploymentRow(6, { service_id: 2, version: 'hot_fix' }),
        ],
      });
      const { body } = await get(`/deployments?${query}`);
      expect(idsOf(body.deployments)).toEqual(ids);
      expect(body.total).toBe(ids.length);
    });

    it.each([
      ['failed=maybe', /^failed: must be true or false/],
      ['status=success', /^status: must be one of PENDING, /],
      ['limit=201', /^limit: must be a whole number from 1 to 200/],
      ['cursor=nonsense', /^cursor: /],
      ['startDate=never', /^startDate: /],
      ['q=a&q=b', /^q: must be given once/],
    ])('answers 400 to %s', async (query, message) => {
      const { get } = await start();
      const { status, body } = await get(`/deployments?${query}`);
      expect(status).toBe(400);
      expect(body).toEqual({ error: expect.stringMatching(message) });
    });
  });

  describe('GET /deployments/{id}', () => {
    it('tells the changes it brought, latest first', async () => {
      const change = (id: number, more: object = {}) => ({
        ...{ id, repository_id: 1, sha: `sha-${id}`, message: `Change ${id}` },
        ...{ author: 'Ada', position: id * 4_096_000, revision: 1, ...more },
      });
      const duration = (
        kind: number,
        subject_id: number,
        more: object = {},
      ) => ({
        ...{ kind, service_id: 1, subject_id, ended_at: 5_500, ...more },
      });
      const { get, deriver } = await start({
        repositories: [{ id: 1, name: 'shop/till' }],
        deployments: [deploymentRow(5), deploymentRow(6)],
        changes: [
          change(1, { committed_at: 700, url: 'https://forge.example.org/1' }),
          change(2),
          change(3, { committed_at: 3_000 }),
        ],
        durations: [
          duration(1, 1, { deployment_id: 5, duration: 4_800 }),
          duration(1, 2, { deployment_id: 5 }),
          duration(1, 3, { deployment_id: 6, duration: 2_500 }),
          duration(3, 2, { deployment_id: 5, duration: 1 }),
        ],
      });
      const { body } = await get('/deployments/deploy-5');

      expect(deriver.drained).toEqual([[1]]);
      expect(body).toEqual({
        deployment: expect.objectContaining({
          id: 'deploy-5',
          service: 'till',
        }),
        totalChanges: 2,
        changes: [
          {
            ...{ sha: 'sha-2', repository: 'shop/till', message: 'Change 2' },
            ...{ author: 'Ada', url: null, leadTimeSeconds: null },
            committedAt: '1970-01-01T00:00:02.000Z',
          },
          {
            ...{ sha: 'sha-1', repository: 'shop/till', message: 'Change 1' },
            ...{ author: 'Ada', url: 'https://forge.example.org/1' },
            committedAt: '1970-01-01T00:00:00.700Z',
            leadTimeSeconds: 5,
          },
        ],
      });
    });

    it.each([
      'deploy-9',
      'none',
      '%00',
      'deploy-%00',
      `deploy-${'a'.repeat(500)}`,
    ])('answers 404 to %s', async id => {
      const { get } = await start();
      const { status, body } = await get(`/deployments/${id}`);
      expect(status).toBe(404);
      expect(body.error).toMatch(/^No deployment '/);
    });
  });

  describe('GET /incidents', () => {
    const INCIDENTS = {
      deployments: [deploymentRow(1)],
      incidents: [
        incidentRow(1, { deployment_id: 1, attribution: 'guessed' }),
        incidentRow(2, { resolved_at: null, severity: 'high' }),
        incidentRow(3, { service_id: null }),
        incidentRow(4, { environment: 'dev', service_id: 2 }),
        incidentRow(5, { service_id: 3, title: 'Search is slow' }),
      ],
    };

    it('tells what is known of each', async () => {
      const { get, deriver } = await start(INCIDENTS);
      const { body } = await get('/incidents');

      expect(deriver.drained).toEqual(['all']);
      expect(body).toMatchObject({ total: 5, nextCursor: null });
      expect(idsOf(body.incidents)).toEqual([5, 4, 3, 2, 1]);
      expect(body.incidents[4]).toEqual({
        ...{ id: 'incident-1', title: 'Outage 1', service: 'till' },
        ...{ entityRef: 'component:default/till', team: 'payments' },
        ...{ project: 'shop', environment: 'prod', severity: null },
        startedAt: '1970-01-01T00:00:01.000Z',
        resolvedAt: '1970-01-01T00:00:01.500Z',
        durationSeconds: 1,
        ...{ url: null, source: 'pager' },
        deployment: {
          ...{ id: 'deploy-1', version: '1.1', guessed: true },
          endTime: '1970-01-01T00:00:01.500Z',
        },
      });
      expect(body.incidents[3]).toMatchObject({
        ...{ resolvedAt: null, durationSeconds: null, deployment: null },
      });
      expect(body.incidents[2]).toMatchObject({ service: null, team: null });
    });

    it.each([
      ['open=true', [2]],
      ['open=false', [5, 4, 3, 2, 1]],
      ['team=payments', [4, 2, 1]],
      ['service=stray', [5]],
      ['environment=prod', [5, 3, 2, 1]],
      ['q=slow', [5]],
      ['q=HIGH', [2]],
      ['startDate=1970-01-01T00:00:04.200Z', [5, 4, 2]],
      ['endDate=1970-01-01T00:00:02Z&startDate=1970-01-01', [1]],
    ])('filters by %s', async (query, ids) => {
      const { get } = await start(INCIDENTS);
      const { body } = await get(`/incidents?${query}`);
      expect(idsOf(body.incidents)).toEqual(ids);
      expect(body.total).toBe(ids.length);
    });

    it('goes by cursor', async () => {
      const { get } = await start({
        incidents: [1, 2, 3].map(id => incidentRow(id, { started_at: 7 })),
      });
      const first = await get('/incidents?limit=2');
      expect(idsOf(first.body.incidents)).toEqual([3, 2]);
      const rest = await get(
        `/incidents?limit=2&cursor=${first.body.nextCursor}`,
      );
      expect(idsOf(rest.body.incidents)).toEqual([1]);
      expect(rest.body).toMatchObject({ total: 3, nextCursor: null });
      const wrong = await get('/incidents?open=1');
      expect(wrong.status).toBe(400);
      expect(wrong.body.error).toBe('open: must be true or false');
    });
  });

  describe('as CSV', () => {
    it('writes deployments that no spreadsheet runs', async () => {
      const { get } = await start({
        deployments: [
          deploymentRow(1, {
            ...{ version: '=cmd|calc', triggered_by: '+1', finished_at: null },
            commit_message: 'Say "hi",\nthen go',
          }),
          deploymentRow(2, { commit_message: '@SUM(A1)', service_id: 3 }),
          deploymentRow(3, { environment: 'dev' }),
        ],
      });
      const { status, headers, text } = await get(
        '/deployments.csv?environment=prod',
      );

      expect(status).toBe(200);
      expect(headers['content-type']).toBe('text/csv; charset=utf-8');
      expect(headers['content-disposition']).toBe(
        'attachment; filename="deployments.csv"',
      );
      const lines = text.split('\r\n');
      expect(lines).toHaveLength(4);
      expect(lines[0]).toBe(
        'id,service,team,project,environment,status,version,startTime,endTime,durationSeconds,triggeredBy,repository,commitSha,commitMessage,commitAuthor,counted,failed,failureCause,rework,reworkCause,recoveredAt,incidents,url,source',
      );
      expect(lines[1]).toBe(
        "deploy-2,stray,,,prod,SUCCESS,1.2,1970-01-01T00:00:02.000Z,1970-01-01T00:00:02.500Z,1,ada,,,'@SUM(A1),,true,false,,false,,,,,ci",
      );
      expect(lines[2]).toBe(
        `deploy-1,till,payments,shop,prod,SUCCESS,'=cmd|calc,1970-01-01T00:00:01.000Z,,,'+1,,,"Say ""hi"",\nthen go",,true,false,,false,,,,,ci`,
      );
    });

    it('writes more than a page of incidents', async () => {
      const { get } = await start(
        {},
        {
          fill: async db => {
            await insertRows(db, { services: SERVICES });
            const rows = Array.from({ length: 2_001 }, (_, index) =>
              incidentRow(index + 1, { started_at: Math.floor(index / 3) }),
            );
            await db.batchInsert('incidents', rows, 50);
          },
        },
      );
      const { text } = await get('/incidents.csv?open=false');
      const lines = text.trimEnd().split('\r\n').slice(1);
      expect(new Set(lines.map(line => line.split(',')[0])).size).toBe(2_001);
      expect(lines).toHaveLength(2_001);
    });

    it('refuses as any other route does', async () => {
      const { get } = await start();
      const { status, body } = await get('/deployments.csv?startDate=never');
      expect(status).toBe(400);
      expect(body.error).toMatch(/^startDate: /);
    });
  });

  it('lets in who may read, and asks before it looks at the query', async () => {
    const { call } = await start(
      {},
      {
        features: [
          mockServices.permissions.factory({ result: AuthorizeResult.DENY }),
        ],
      },
    );
    for (const path of [
      'deployment-history',
      'deployments?limit=x',
      'deployments.csv',
      'deployments/deploy-1',
      'incidents',
      'incidents.csv',
    ]) {
      const denied = await call('get', `/${path}`);
      expect(denied.status).toBe(403);
      expect(denied.body).toEqual({
        error: 'Permission delivery-lake.delivery.read is required',
      });
      const anonymous = await call(
        'get',
        `/${path}`,
        mockCredentials.none.header(),
      );
      expect(anonymous.status).toBe(401);
    }
    const posted = await call('post', '/deployment-history');
    expect(posted.status).toBe(405);
    expect(posted.headers.allow).toBe('GET');
  });
});
