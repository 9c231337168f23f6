import { deploymentRow } from './__testUtils__/rows';
import { numbersOf, startHistory } from './__testUtils__/startHistory';
import { lakeDatabases } from '../storage/__testUtils__/lakeDatabases';

const databases = lakeDatabases();

describe.each(databases.eachSupportedId())(
  'GET /deployment-history on %s',
  databaseId => {
    const start = async (tables = {}, options = {}) =>
      startHistory(await databases.init(databaseId), tables, options);

    it('responds with the contract’s fields', async () => {
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

    it('returns the latest deployments under all names of a component, and counts the rest', async () => {
      const deployments = Array.from({ length: 30 }, (_, index) =>
        deploymentRow(index + 1, { service_id: (index % 3) + 1 }),
      );
      const { get, deriver } = await start({ deployments });
      const newest = [29, 28, 26, 25, 23, 22, 20, 19, 17, 16, 14, 13, 11, 10];

      const all = await get('/deployment-history?service=till&limit=100');
      expect(all.body.total).toBe(20);
      expect(numbersOf(all.body.deployments).slice(0, 14)).toEqual(newest);
      const some = await get('/deployment-history?service=till&limit=3');
      expect(some.body.total).toBe(20);
      expect(numbersOf(some.body.deployments)).toEqual(newest.slice(0, 3));
      const stray = await get('/deployment-history?service=stray');
      expect(stray.body.total).toBe(10);
      // The response contains no derived data.
      expect(deriver.drained).toEqual([]);
    });

    it('returns twenty by default, simultaneous ones in order of arrival', async () => {
      const deployments = Array.from({ length: 25 }, (_, index) =>
        deploymentRow(index + 1, { started_at: 7 }),
      );
      const { get } = await start({ deployments });
      const { body } = await get('/deployment-history?service=till');
      expect(body.total).toBe(25);
      expect(numbersOf(body.deployments)).toEqual(
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
        return [numbersOf(body.deployments), body.total];
      };
      expect(await of('prod')).toEqual([[1], 1]);
      expect(await of('dev')).toEqual([[5, 2], 2]);
      expect(await of('staging')).toEqual([[3], 1]);
    });

    it('returns nothing for an unknown service', async () => {
      const { get } = await start();
      const { status, body } = await get('/deployment-history?service=nobody');
      expect(status).toBe(200);
      expect(body).toEqual({ service: 'nobody', deployments: [], total: 0 });
    });

    it.each<[string, RegExp]>([
      ['', /^service is required$/],
      ['?service=', /^service: must not be empty/],
      ['?service=a%00', /^service: must not contain control characters/],
      ['?service=a&service=b', /^service: must be given once$/],
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
  },
);
