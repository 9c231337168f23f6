import { isDeepStrictEqual } from 'node:util';
import { ConfigReader } from '@backstage/config';
import type { ServiceDirectory } from '@slipway/plugin-delivery-lake-backend/src/catalog/ServiceDirectory';
import { readDeliveryLakeConfig } from '@slipway/plugin-delivery-lake-backend/src/config';
import { HistoryService } from '@slipway/plugin-delivery-lake-backend/src/history/HistoryService';
import { DoraService } from '@slipway/plugin-delivery-lake-backend/src/metrics/DoraService';
import { DatabaseDeriver } from '@slipway/plugin-delivery-lake-backend/src/storage/DatabaseDeriver';
import { DatabaseDeploymentHistory } from '@slipway/plugin-delivery-lake-backend/src/storage/DatabaseDeploymentHistory';
import { DatabaseIncidentHistory } from '@slipway/plugin-delivery-lake-backend/src/storage/DatabaseIncidentHistory';
import { DatabaseMetricsStore } from '@slipway/plugin-delivery-lake-backend/src/storage/DatabaseMetricsStore';
import { DatabaseServiceStore } from '@slipway/plugin-delivery-lake-backend/src/storage/services';
import type { Knex } from 'knex';
import { HISTORY_END } from '../load/statements';

/** The development configuration: UTC, and levels by DORA's table. */
export const config = readDeliveryLakeConfig(new ConfigReader({}));

/** A directory in which services have the same names as their components. */
export const directory: ServiceDirectory = {
  find: () => ({ match: 'unknown', candidates: [] }),
  titleOf: entityRef => entityRef,
  onChange: () => {},
  refresh: async () => {},
};

/** The lake's services that handle reads. */
export interface LakeServices {
  dora: DoraService;
  history: HistoryService;
}

/** Creates the lake's services for a database, with empty caches. */
export function createLakeServices(knex: Knex): LakeServices {
  const shared = {
    services: new DatabaseServiceStore(knex),
    deriver: new DatabaseDeriver({ knex, ...config }),
    directory,
    config,
    now: () => HISTORY_END,
  };
  return {
    dora: new DoraService({ ...shared, store: new DatabaseMetricsStore(knex) }),
    history: new HistoryService({
      ...shared,
      deployments: new DatabaseDeploymentHistory(knex),
      incidents: new DatabaseIncidentHistory(knex),
    }),
  };
}

/** Reads everything that was derived for a service, by table. */
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
 * Rebuilds a service of a loaded lake with the lake's own code, and compares the result
 * with the loaded data.
 *
 * @throws Error naming the table that differs.
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

/**
 * Removes revisions: rebuilding a service may increase them, while the counts stay the same.
 */
function withoutRevision(rows: object[]): object[] {
  return rows.map(row => ({ ...row, revision: undefined }));
}
