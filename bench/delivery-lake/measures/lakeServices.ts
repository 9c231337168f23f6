import { ConfigReader } from '@backstage/config';
import type { ServiceDirectory } from '@slipway/plugin-delivery-lake-backend/src/catalog/ServiceDirectory';
import { readDeliveryLakeConfig } from '@slipway/plugin-delivery-lake-backend/src/config';
import { HistoryService } from '@slipway/plugin-delivery-lake-backend/src/history/HistoryService';
import { DoraService } from '@slipway/plugin-delivery-lake-backend/src/metrics/DoraService';
import { DatabaseDeriver } from '@slipway/plugin-delivery-lake-backend/src/storage/DatabaseDeriver';
import { DatabaseHistoryStore } from '@slipway/plugin-delivery-lake-backend/src/storage/DatabaseHistoryStore';
import { DatabaseMetricsStore } from '@slipway/plugin-delivery-lake-backend/src/storage/DatabaseMetricsStore';
import { DatabaseServiceStore } from '@slipway/plugin-delivery-lake-backend/src/storage/services';
import type { Knex } from 'knex';
import { HISTORY_END } from '../load/LakeSize';

/** The development configuration: UTC, DORA's table. */
export const config = readDeliveryLakeConfig(new ConfigReader({}));

/** The services' own names are those of their components. */
export const directory: ServiceDirectory = {
  find: () => ({ match: 'unknown', candidates: [] }),
  titleOf: entityRef => entityRef,
  onChange: () => {},
  refresh: async () => {},
};

/** What answers reads, with nothing remembered yet. */
export interface LakeServices {
  dora: DoraService;
  history: HistoryService;
}

/** Puts the lake's own services on a database. */
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
      store: new DatabaseHistoryStore(knex),
    }),
  };
}
