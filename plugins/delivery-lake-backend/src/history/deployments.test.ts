import { deploymentRow, incidentRow } from './__testUtils__/rows';
import { numbersOf, startHistory } from './__testUtils__/startHistory';
import { lakeDatabases } from '../storage/__testUtils__/lakeDatabases';

const databases = lakeDatabases();

describe.each(databases.eachSupportedId())(
  'GET /deployments on %s',
  databaseId => {
    const start = async (tables = {}, options = {}) =>
      startHistory(await databases.init(databaseId), tables, options);

    it('returns the details of each', async () => {
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

    it('pages through all of them by cursor, newest first', async () => {
      const deployments = Array.from({ length: 23 }, (_, index) =>
        // Many at the same time, and one that is still running.
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
        seen.push(...numbersOf(body.deployments));
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
      ['q=till%20HOT', [6, 1]],
      ['q=stray%20hot', []],
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
      expect(numbersOf(body.deployments)).toEqual(ids);
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
  },
);
