import { deploymentRow } from './__testUtils__/rows';
import { startHistory } from './__testUtils__/startHistory';
import { lakeDatabases } from '../storage/__testUtils__/lakeDatabases';

const databases = lakeDatabases();

describe.each(databases.eachSupportedId())('GET /running on %s', databaseId => {
  const start = async (tables = {}) =>
    startHistory(await databases.init(databaseId), tables);

  it('returns the last success of each component in each environment', async () => {
    const { get, deriver } = await start({
      deployments: [
        deploymentRow(1),
        deploymentRow(2, { service_id: 2 }),
        deploymentRow(3, { status: 'FAILURE' }),
        deploymentRow(4, { environment: 'staging' }),
        deploymentRow(5, { environment: 'dev', finished_at: null }),
        deploymentRow(6, { environment: 'dev', status: 'IN_PROGRESS' }),
        deploymentRow(7, { service_id: 3 }),
      ],
    });
    const { body } = await get('/running?team=payments');
    expect(deriver.drained).toEqual([[1, 2]]);
    expect(body.truncated).toBe(false);
    expect(
      body.deployments.map(
        ({ id, entityRef, environment }: Record<string, string>) => [
          id,
          entityRef,
          environment,
        ],
      ),
    ).toEqual([
      ['deploy-5', 'component:default/till', 'dev'],
      ['deploy-4', 'component:default/till', 'staging'],
      ['deploy-2', 'component:default/till', 'prod'],
    ]);
  });

  it('returns nothing for an unknown scope, and requires one', async () => {
    const { get } = await start({ deployments: [deploymentRow(1)] });
    const { body } = await get('/running?project=none');
    expect(body).toEqual({ deployments: [], truncated: false });
    expect(await get('/running')).toMatchObject({
      status: 400,
      body: { error: 'service: must be given, or else project or team' },
    });
  });
});
