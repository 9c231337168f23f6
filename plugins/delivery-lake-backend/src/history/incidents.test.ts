import { deploymentRow, incidentRow } from './__testUtils__/rows';
import { numbersOf, startHistory } from './__testUtils__/startHistory';
import { lakeDatabases } from '../storage/__testUtils__/lakeDatabases';

const databases = lakeDatabases();

describe.each(databases.eachSupportedId())(
  'GET /incidents on %s',
  databaseId => {
    const start = async (tables = {}, options = {}) =>
      startHistory(await databases.init(databaseId), tables, options);

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

    it('returns the details of each', async () => {
      const { get, deriver } = await start(INCIDENTS);
      const { body } = await get('/incidents');

      expect(deriver.drained).toEqual(['all']);
      expect(body).toMatchObject({ total: 5, nextCursor: null });
      expect(numbersOf(body.incidents)).toEqual([5, 4, 3, 2, 1]);
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
      ['open=false', [5, 4, 3, 1]],
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
      expect(numbersOf(body.incidents)).toEqual(ids);
      expect(body.total).toBe(ids.length);
    });

    it('finds words as they are written, in any alphabet', async () => {
      const { get } = await start({
        incidents: [incidentRow(1, { title: 'Été en panne' })],
      });
      const { body } = await get(`/incidents?q=${encodeURIComponent('Été')}`);
      expect(numbersOf(body.incidents)).toEqual([1]);
    });

    it('pages by cursor', async () => {
      const { get } = await start({
        incidents: [1, 2, 3].map(id => incidentRow(id, { started_at: 7 })),
      });
      const first = await get('/incidents?limit=2');
      expect(numbersOf(first.body.incidents)).toEqual([3, 2]);
      const rest = await get(
        `/incidents?limit=2&cursor=${first.body.nextCursor}`,
      );
      expect(numbersOf(rest.body.incidents)).toEqual([1]);
      expect(rest.body).toMatchObject({ total: 3, nextCursor: null });
      const wrong = await get('/incidents?open=1');
      expect(wrong.status).toBe(400);
      expect(wrong.body.error).toBe('open: must be true or false');
    });
  },
);
