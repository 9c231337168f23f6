import { changePosition } from '../derivation/changePosition';
import { TestDatabases } from '@backstage/backend-test-utils';
import { deploymentRow } from './__testUtils__/rows';
import { startHistory } from './__testUtils__/startHistory';

const databases = TestDatabases.create({ ids: ['SQLITE_3', 'POSTGRES_18'] });

describe.each(databases.eachSupportedId())(
  'GET /deployments/{id} on %s',
  databaseId => {
    const start = async (tables = {}, options = {}) =>
      startHistory(await databases.init(databaseId), tables, options);

    it('tells the changes it brought, latest first', async () => {
      const change = (id: number, more: object = {}) => ({
        ...{ id, repository_id: 1, sha: `sha-${id}`, message: `Change ${id}` },
        ...{
          author: 'Ada',
          position: changePosition(id * 1_000),
          revision: 1,
          ...more,
        },
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
  },
);
