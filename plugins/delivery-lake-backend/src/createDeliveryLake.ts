import { DiscoveryService, LoggerService } from '@backstage/backend-plugin-api';
import { ConflictError } from '@backstage/errors';
import { ServiceDirectory } from './catalog/ServiceDirectory';
import { DeliveryLakeConfig } from './config';
import { BackgroundDrain, Deriver } from './derivation/Deriver';
import { HistoryService } from './history/HistoryService';
import { IngestService } from './ingest/IngestService';
import { JobService } from './jobs/JobService';
import { DoraService } from './metrics/DoraService';
import { OverviewService } from './overview/OverviewService';
import { PersonNames } from './people/PersonNames';
import { DatabaseConnectionStore } from './storage/DatabaseConnectionStore';
import { DatabaseDeriver } from './storage/DatabaseDeriver';
import { DatabaseDeploymentHistory } from './storage/DatabaseDeploymentHistory';
import { DatabaseIncidentHistory } from './storage/DatabaseIncidentHistory';
import { DatabaseIngestStore } from './storage/DatabaseIngestStore';
import { DatabaseJobStore } from './storage/DatabaseJobStore';
import { DatabaseMetricsStore } from './storage/DatabaseMetricsStore';
import { DatabaseNamespaceStore } from './storage/DatabaseNamespaceStore';
import { DatabaseOverviewStore } from './storage/DatabaseOverviewStore';
import type { LakeDatabase } from './storage/openLakeDatabase';
import {
  deletePerson,
  type DeletionPreview,
  previewDeletion,
} from './storage/personDeletion';
import { Replayer } from './storage/Replayer';
import { runStage } from './storage/replayStages';
import { DeployedNames } from './storage/DeployedNames';
import { DatabaseServiceStore, keepServicesMatched } from './storage/services';
import { deleteUnusedDeliveries } from './storage/unusedDeliveries';
import { mapDelivery, withService } from './webhooks/mapDelivery';

/** The assembled plugin, without its HTTP routes. */
export interface DeliveryLake {
  ingest: IngestService;
  dora: DoraService;
  history: HistoryService;
  overview: OverviewService;
  jobs: JobService;
  namespaces: DatabaseNamespaceStore;
  connections: DatabaseConnectionStore;
  deployed: DeployedNames;
  deriver: Deriver;
  /**
   * Counts, for a part of the deliveries, what deleting a person's names would empty.
   *
   * @param after - the position after which the part begins.
   */
  previewDeletion(
    names: readonly string[],
    after: number,
  ): Promise<DeletionPreview>;
  /** Resumes derivations that a crash interrupted. */
  start(): Promise<void>;
  /**
   * Refreshes the catalog, rebuilds if the configuration changed or a rebuild was interrupted, and
   * deletes old deliveries without an event.
   */
  housekeeping(): Promise<void>;
  stop(): Promise<void>;
}

/** Assembles the plugin. */
export function createDeliveryLake(options: {
  knex: LakeDatabase;
  config: DeliveryLakeConfig;
  directory: ServiceDirectory;
  discovery: DiscoveryService;
  logger: LoggerService;
  now?: () => number;
}): DeliveryLake {
  const { knex, config, directory, discovery, logger } = options;
  const { now = Date.now } = options;

  const deriver = new DatabaseDeriver({
    knex,
    dora: config.dora,
    timeZone: config.timeZone,
    logger,
  });
  const drain = new BackgroundDrain({ deriver, logger });
  const services = new DatabaseServiceStore(knex);
  const reading = { services, deriver, directory, config, now };
  const replayer = new Replayer({
    knex,
    directory,
    config,
    mapper: delivery => mapDelivery(delivery, config),
    complete: (delivery, tx) =>
      withService(delivery, new DeployedNames({ knex: tx, directory })),
    now,
  });
  // Must precede the first read of the catalog, because its first state counts as a change too.
  keepServicesMatched({ knex, directory });

  const jobs = new JobService({
    store: new DatabaseJobStore(knex),
    logger,
    now,
    work: {
      rebuild: onProgress => deriver.rebuild(onProgress),
      replay: async onProgress => {
        await replayer.replay({
          onProgress: ({ done, total }) => onProgress(done, total),
        });
        await deriver.drain();
      },
      deletion: names => async onProgress => {
        const person = new PersonNames(names);
        for (const stage of deletePerson({ knex, directory, person })) {
          await runStage(stage, 0, ({ done, total }) =>
            onProgress(done, total),
          );
        }
        await deriver.drain();
      },
    },
  });

  return {
    deriver,
    ingest: new IngestService({
      store: new DatabaseIngestStore({ knex, directory }),
      config,
      now,
      onMarked: () => drain.soon(),
    }),
    dora: new DoraService({
      ...reading,
      store: new DatabaseMetricsStore(knex),
    }),
    history: new HistoryService({
      ...reading,
      deployments: new DatabaseDeploymentHistory(knex),
      incidents: new DatabaseIncidentHistory(knex),
    }),
    overview: new OverviewService({
      ...reading,
      store: new DatabaseOverviewStore(knex),
      discovery,
    }),
    jobs,
    connections: new DatabaseConnectionStore(knex),
    deployed: new DeployedNames({ knex, directory }),
    namespaces: new DatabaseNamespaceStore({ knex, directory, deriver }),
    previewDeletion: (names, after) =>
      previewDeletion({ knex, person: new PersonNames(names) }, { after }),
    async start() {
      drain.soon();
      await this.housekeeping();
    },
    async housekeeping() {
      await directory.refresh();
      if (!(await deriver.isCurrent())) {
        await rebuildOnce(jobs);
      }
      if (config.keepUnused > 0) {
        await deleteUnusedDeliveries(knex, now() - config.keepUnused);
      }
    },
    stop: () => drain.stop(),
  };
}

/** Rebuilds unless another replica already does. */
async function rebuildOnce(jobs: JobService): Promise<void> {
  try {
    await jobs.start('rebuild');
  } catch (error) {
    if (!(error instanceof ConflictError)) {
      throw error;
    }
  }
}
