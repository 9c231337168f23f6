import type { CommonConfig, ServiceKit } from '@slipway/service-kit';
import { Counter } from 'prom-client';
import type { FlagSnapshot } from '../client/FlagSnapshot.ts';
import {
  type Loss,
  type ReportDesk,
  reportDesk,
} from '../client/reportRoutes.ts';
import type { FeatureFlagsConfig } from '../config.ts';
import { IMPACT_KEPT_MS, ImpactMetrics } from '../impact/ImpactMetrics.ts';
import {
  ApplicationStore,
  type EdgeUse,
  type InstanceKey,
} from '../storage/ApplicationStore.ts';
import { ImpactStore } from '../storage/ImpactStore.ts';
import { UnknownFlagStore } from '../storage/UnknownFlagStore.ts';
import { StageStore } from '../storage/StageStore.ts';
import { UsageStore } from '../storage/UsageStore.ts';
import { FlagUsage } from './FlagUsage.ts';
import { MAX_UNKNOWN, UnknownFlags } from './UnknownFlags.ts';
import { Sightings } from './Sightings.ts';
import { UsageIntake } from './UsageIntake.ts';

type Kit = ServiceKit<FeatureFlagsConfig & CommonConfig>;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Minutes are used for the last hour only; the second hour allows for clock differences. */
const MINUTES_KEPT_MS = 2 * HOUR_MS;

/** Sets up the reports of applications: usage, impact metrics and registrations. */
export function setUpUsage(
  kit: Kit,
  snapshot: FlagSnapshot,
): {
  desk: ReportDesk;
  usage: FlagUsage;
  impact: ImpactMetrics;
  unknown: UnknownFlags;
  applications: ApplicationStore;
  stages: StageStore;
} {
  const { config, database, now } = kit;
  const retentionMs = config.usage.retentionDays * DAY_MS;
  const applications = new ApplicationStore(database);
  const stages = new StageStore(database);
  const impactStore = new ImpactStore(database);
  const usageStore = new UsageStore(database);
  const unknownStore = new UnknownFlagStore(database, { most: MAX_UNKNOWN });
  const unknown = new UnknownFlags(unknownStore);
  const seen = new Sightings<InstanceKey>({
    keyOf: ({ appName, instanceId, environment }) =>
      `${environment}\n${appName}\n${instanceId}`,
    write: (instances, at) => applications.see(instances, at),
  });
  const seenBehindEdge = new Sightings<EdgeUse>({
    keyOf: ({ appName, environment, sdkVersion }) =>
      `${environment}\n${appName}\n${sdkVersion}`,
    write: (uses, at) => applications.seeBehindEdge(uses, at),
  });
  const flushSeen = async () => {
    await seen.flush(now());
    await seenBehindEdge.flush(now());
  };
  const lose = countLosses(kit);
  const impact = new ImpactMetrics({
    store: impactStore,
    lose: count => lose('too_many_series', count),
    now,
  });
  const intake = new UsageIntake({
    write: records => usageStore.add(records),
    isFlag: name => snapshot.has(name),
    noteUnknown: report => unknown.note(report),
    retentionMs,
    now,
  });
  kit.every({
    name: 'Recording unknown flags',
    everyMs: config.pollMs,
    work: () => unknown.flush(),
  });
  kit.onStop(() => unknown.flush());
  kit.every({
    name: 'Recording instances that report',
    everyMs: config.pollMs,
    work: flushSeen,
  });
  kit.onStop(flushSeen);
  scheduleRetention(kit, {
    usage: usageStore,
    unknown: unknownStore,
    impact: impactStore,
    applications,
    stages,
    retentionMs,
  });
  return {
    desk: reportDesk({
      applications,
      noteSeen: instance => seen.note(instance, now()),
      noteBehindEdge: use => seenBehindEdge.note(use, now()),
      usage: intake,
      impact,
      isOthers: (name, shown) => snapshot.isOutside(name, shown),
      lose,
      now,
    }),
    usage: new FlagUsage({ usage: usageStore, retentionMs, now }),
    impact,
    unknown,
    applications,
    stages,
  };
}

/** Counts the parts of reports that are discarded. */
function countLosses(kit: Kit): (reason: Loss, count: number) => void {
  const losses = new Counter({
    name: 'feature_flags_usage_lost_total',
    help: 'Flags of usage reports that were not kept',
    labelNames: ['reason'],
    registers: [kit.metrics.registry],
  });
  return (reason, count) => losses.inc({ reason }, count);
}

/** Deletes expired records every hour. */
function scheduleRetention(
  kit: Kit,
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
