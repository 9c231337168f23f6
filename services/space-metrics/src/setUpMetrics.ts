import type { FirstCommit } from './activity/ActivityStore.ts';
import { exposeMetrics } from './exposition/exposeMetrics.ts';
import { ActivityDimension } from './metrics/ActivityDimension.ts';
import { CommunicationDimension } from './metrics/CommunicationDimension.ts';
import { DatabaseMetricsStore } from './metrics/DatabaseMetricsStore.ts';
import { EfficiencyDimension } from './metrics/EfficiencyDimension.ts';
import { FirstCommitTimes } from './metrics/FirstCommitTimes.ts';
import { PerformanceDimension } from './metrics/PerformanceDimension.ts';
import { ReleasedReader } from './metrics/ReleasedReader.ts';
import { metricsRoutes } from './metrics/routes.ts';
import { SatisfactionDimension } from './metrics/SatisfactionDimension.ts';
import { SpaceMetrics } from './metrics/SpaceMetrics.ts';
import type { Foundation } from './setUpService.ts';

/** The days of which the exposition tells. */
const EXPOSED_DAYS = 30;

/** Everything that is read. */
export function setUpMetrics(
  foundation: Foundation,
  stores: { activity: { firstCommits(): Promise<FirstCommit[]> } },
): void {
  const { kit, database, releases, portal, hasher, cache } = foundation;
  const { access, timeZone, now, today } = foundation;
  const { lake, directory } = portal;
  const { minimumGroupSize } = releases;
  const store = new DatabaseMetricsStore(database);
  const reader = new ReleasedReader({ store, releases });
  const metrics = new SpaceMetrics({
    minimumGroupSize,
    dimensions: [
      new SatisfactionDimension(reader),
      new PerformanceDimension({ store, lake }),
      new ActivityDimension({ reader, today }),
      new CommunicationDimension(reader),
      new EfficiencyDimension({
        reader,
        lake,
        firstCommits: new FirstCommitTimes({
          store: stores.activity,
          directory,
          hasher,
          minimumGroupSize,
        }),
      }),
    ],
  });
  metricsRoutes(kit.app, {
    access: access.read,
    metrics,
    store,
    cache,
    timeZone,
    now,
  });
  exposeMetrics(kit.metrics, {
    metrics,
    store,
    releases,
    period: () => ({ start: today() - EXPOSED_DAYS, end: today() + 1 }),
    everySeconds: kit.config.exposition.everySeconds,
  });
}
