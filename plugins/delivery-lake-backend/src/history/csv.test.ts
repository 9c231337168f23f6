import type { Knex } from 'knex';
import { deploymentRow, incidentRow, insertRows } from './__testUtils__/rows';
import { startHistory } from './__testUtils__/startHistory';
import { lakeDatabases } from '../storage/__testUtils__/lakeDatabases';

const databases = lakeDatabases();

describe.each(databases.eachSupportedId())('as CSV on %s', databaseId => {
  const start = async (tables = {}, options = {}) =>
    startHistory(await databases.init(databaseId), tables, options);

  it('writes deployments without formulas that a spreadsheet would run', async () => {
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
        fill: async (db: Knex) => {
          await insertRows(db, { services: [{ id: 1, name: 'till' }] });
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

  it('rejects requests like any other route', async () => {
    const { get } = await start();
    const { status, body } = await get('/deployments.csv?startDate=never');
    expect(status).toBe(400);
    expect(body.error).toMatch(/^startDate: /);
  });
});
