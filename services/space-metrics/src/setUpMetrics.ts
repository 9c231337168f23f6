import { exposeMetrics } from './exposition/exposeMetrics.ts';
import { ActivityDimension } from './metrics/ActivityDimension.ts';
import { CommunicationDimension } from './metrics/CommunicationDimension.ts';
import { EfficiencyDimension } from './metrics/EfficiencyDimension.ts';
import { PerformanceDimension } from './metrics/PerformanceDimension.ts';
import { metricsRoutes } from './metrics/routes.ts';
import { SatisfactionDimension } from './metrics/SatisfactionDimension.ts';
import { SpaceMetrics } from './metrics/SpaceMetrics.ts';
import type { Foundation } from './setUpService.ts';

/** The days of which the exposition tells. */
const EXPOSED_DAYS = 30;

/** Everything that is read. */
export function setUpMetrics(foundation: Foundation): void {
  const { kit, live, shown, portal, cache } = foundation;
  const { access, timeZone, now, today } = foundation;
  const { lake } = portal;
  const { numbers } = shown;
  const metrics = new SpaceMetrics({
    minimumGroupSize: numbers.minimumGroupSize,
    dimensions: [
      new SatisfactionDimension(numbers),
      new PerformanceDimension({ builds: live, lake }),
      new ActivityDimension(numbers),
      new CommunicationDimension(numbers),
      new EfficiencyDimension({ numbers, lake }),
    ],
  });
  metricsRoutes(kit.app, {
    access: access.read,
    metrics,
    numbers,
    cache,
    timeZone,
    now,
  });
  exposeMetrics(kit.metrics, {
    metrics,
    numbers,
    period: () => ({ start: today() - EXPOSED_DAYS, end: today() + 1 }),
    everySeconds: kit.config.exposition.everySeconds,
  });
}
