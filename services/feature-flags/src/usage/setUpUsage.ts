import type { CommonConfig, ServiceKit } from '@slipway/service-kit';
import type { FlagSnapshot } from '../client/FlagSnapshot.ts';
import { type ReportDesk, reportDesk } from '../client/reportRoutes.ts';
import type { FeatureFlagsConfig } from '../config.ts';
import { ImpactMetrics } from '../impact/ImpactMetrics.ts';
import { ApplicationStore } from '../storage/ApplicationStore.ts';
import { ImpactStore } from '../storage/ImpactStore.ts';
import { UnknownFlagStore } from '../storage/UnknownFlagStore.ts';
import { StageStore } from '../storage/StageStore.ts';
import { UsageStore } from '../storage/UsageStore.ts';
import { countLosses, scheduleRetention } from '../upkeep.ts';
import { FlagUsage } from './FlagUsage.ts';
import { MAX_UNKNOWN, UnknownFlags } from './UnknownFlags.ts';
import { UsageIntake } from './UsageIntake.ts';

const DAY_MS = 24 * 3_600_000;

/** Sets up what applications report: their usage, impact metrics and registrations. */
export function setUpUsage(
  kit: ServiceKit<FeatureFlagsConfig & CommonConfig>,
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
    name: 'Noting unknown flags',
    everyMs: config.pollMs,
    work: () => unknown.flush(),
  });
  kit.onStop(() => unknown.flush());
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
