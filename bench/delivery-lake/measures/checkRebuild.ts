import { isDeepStrictEqual } from 'node:util';
import { DatabaseDeriver } from '@slipway/plugin-delivery-lake-backend/src/storage/DatabaseDeriver';
import type { Knex } from 'knex';
import { config } from './lakeServices';

/** Everything that is derived of a service, by table. */
async function derivedOf(knex: Knex, service: number) {
  return {
    deployments: await knex('deployments')
      .where({ service_id: service })
      .orderBy('id')
      .select(
        'id',
        'failed',
        'failure_cause',
        'rework',
        'rework_cause',
        'recovered_at',
        'rolled_back_at',
      ),
    incidents: await knex('incidents')
      .where({ service_id: service })
      .orderBy('id')
      .select(
        'id',
        'deployment_id',
        'attribution',
        'deployment_service_id',
        'deployment_finished_at',
      ),
    durations: await knex('durations')
      .where({ service_id: service })
      .orderBy(['kind', 'subject_id'])
      .select(),
    counts: await knex('rollup_counts')
      .whereIn('service_id', [0, service])
      .orderBy(['service_id', 'day'])
      .select(),
    histograms: await knex('rollup_durations')
      .sum({ samples: 'samples' })
      .count({ rows: '*' }),
  };
}

/**
 * Derives a service of a loaded lake anew, with the lake's own code: what was loaded
 * has to be what follows.
 *
 * @throws Error naming the table that changed.
 */
export async function checkRebuild(knex: Knex, service: number): Promise<void> {
  const { dora, timeZone } = config;
  const before = await derivedOf(knex, service);
  await knex('dirty_marks').insert({ service_id: service, since: 0 });
  await new DatabaseDeriver({ knex, dora, timeZone }).drain([service]);
  const after = await derivedOf(knex, service);
  for (const [table, rows] of Object.entries(before)) {
    const again = after[table as keyof typeof after];
    if (!isDeepStrictEqual(withoutRevision(again), withoutRevision(rows))) {
      throw new Error(
        `Deriving service ${service} anew changed its ${table}: what was loaded is not what follows`,
      );
    }
  }
}

/** Deriving a whole service anew may count as a change of its days; the counts stay. */
function withoutRevision(rows: object[]): object[] {
  return rows.map(row => ({ ...row, revision: undefined }));
}
