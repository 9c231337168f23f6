import { writeSync } from 'node:fs';
import createKnex from 'knex';
import { Knex } from 'knex';
import { IngestService } from '../../ingest/IngestService';
import { DatabaseIngestStore } from '../DatabaseIngestStore';
import { aDeployment, at, shaOf } from './events';

const BATCH = 20;

/**
 * Ingests batches of deployments until the process is killed. Prints the external ids of each
 * batch, on one line, once they are acknowledged.
 *
 * Arguments: knex configuration in JSON, prefix of the external ids.
 */
async function main([configuration, prefix]: string[]): Promise<void> {
  const config: Knex.Config = JSON.parse(configuration);
  const store = new DatabaseIngestStore({
    knex: createKnex(config),
    directory: {
      find: () => ({ match: 'unknown', candidates: [] }),
      titleOf: entityRef => entityRef,
      onChange: () => {},
      refresh: async () => {},
    },
  });
  const service = new IngestService({
    store,
    config: { environments: new Map(), clockSkew: 0 },
  });
  for (let batch = 0; ; batch++) {
    const ids = Array.from(
      { length: BATCH },
      (_, index) => `${prefix}-${batch * BATCH + index}`,
    );
    await service.ingest(
      ids.map((externalId, index) => ({
        event: aDeployment({
          externalId,
          service: `service-${index % 5}`,
          commit: { sha: shaOf(batch), committedAt: at(1) },
          changes: [shaOf(batch), shaOf(batch + 1)],
        }),
      })),
    );
    writeSync(1, `${ids.join(' ')}\n`);
  }
}

main(process.argv.slice(2)).catch(error => {
  writeSync(2, `${error.stack}\n`);
  process.exit(1);
});
