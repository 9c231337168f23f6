import type { CommonConfig, ServiceKit } from '@slipway/service-kit';
import { Counter } from 'prom-client';
import type { Loss } from './client/reportRoutes.ts';
import type { FeatureFlagsConfig } from './config.ts';
import { IMPACT_KEPT_MS } from './impact/ImpactMetrics.ts';
import type { ApiToken } from './model/ApiToken.ts';
import type { Environments } from './registers/registers.ts';
import type { ApplicationStore } from './storage/ApplicationStore.ts';
import type { ImpactStore } from './storage/ImpactStore.ts';
import { RevisionListener } from './storage/RevisionListener.ts';
import {
  Follower,
  readRevisions,
  type RevisionSubject,
} from './storage/revisions.ts';
import type { UnknownFlagStore } from './storage/UnknownFlagStore.ts';
import type { StageStore } from './storage/StageStore.ts';
import type { UsageStore } from './storage/UsageStore.ts';

type Kit = ServiceKit<FeatureFlagsConfig & CommonConfig>;

/** Creates the environments named in the configuration if they do not exist. */
export async function ensureEnvironments(
  environments: Environments,
  named: readonly (string | ApiToken)[],
): Promise<void> {
  const names = named.map(each =>
    typeof each === 'string' ? each : each.environment,
  );
  for (const name of new Set(names.filter(each => each !== '*'))) {
    const type = name === 'production' ? name : 'development';
    await environments.ensure(
      {
        name,
        type,
        sortOrder: 0,
        enabled: true,
        protected: false,
        requiredApprovals: 1,
      },
      'configuration',
    );
  }
}

/**
 * Follows changes by other replicas: at once if the database sends notifications, and by
 * polling. Resolves once everything has been read.
 */
export async function followReplicas(
  kit: Kit,
  follow: Readonly<Record<RevisionSubject, () => Promise<void>>>,
): Promise<void> {
  const { database, config } = kit;
  const follower = new Follower({
    read: () => readRevisions(database.knex),
    follow,
  });
  await follower.look();
  kit.every({
    name: 'Following changes of flags',
    everyMs: config.pollMs,
    work: () => follower.look(),
  });
  const listener = new RevisionListener({
    database,
    onChange: () => void follower.look().catch(() => {}),
  });
  kit.onStart(() => listener.start());
  kit.onStop(() => listener.stop());
}

/** Counts the parts of reports that are discarded. */
export function countLosses(kit: Kit): (reason: Loss, count: number) => void {
  const losses = new Counter({
    name: 'feature_flags_usage_lost_total',
    help: 'Flags of usage reports that were not kept',
    labelNames: ['reason'],
    registers: [kit.metrics.registry],
  });
  return (reason, count) => losses.inc({ reason }, count);
}

const HOUR_MS = 3_600_000;
/** Minutes are used for the last hour only; the second hour allows for clock differences. */
const MINUTES_KEPT_MS = 2 * HOUR_MS;

/** Deletes expired records every hour. */
export function scheduleRetention(
  kit: ServiceKit,
  options: {
    usage: UsageStore;
    impact: ImpactStore;
    applications: ApplicationStore;
    unknown: UnknownFlagStore;
    stages: StageStore;
    retentionMs: number;
  },
): void {
  const { usage, impact, applications, unknown, stages, retentionMs } = options;
  kit.every({
    name: 'Deleting old usage',
    everyMs: HOUR_MS,
    async work() {
      const now = kit.now();
      await stages.record({ span: 'hour', from: now - retentionMs });
      await usage.purge({ span: 'minute', before: now - MINUTES_KEPT_MS });
      await usage.purge({ span: 'hour', before: now - retentionMs });
      await applications.purge(now - retentionMs);
      await unknown.purge(now - retentionMs);
      await impact.purge({
        minutesBefore: now - IMPACT_KEPT_MS,
        seriesBefore: now - retentionMs,
      });
    },
  });
}
