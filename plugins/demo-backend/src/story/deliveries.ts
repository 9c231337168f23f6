import type { Organisation, Service } from '../organisation/organisation';
import { Beat } from './random';
import { ServiceHistory } from './ServiceHistory';
import {
  DAY_MS,
  HOUR_MS,
  isWorkday,
  MINUTE_MS,
  type StoryTime,
  workdayAfter,
  workdayBefore,
} from './time';
import { BUILD_FAILURES, SMOKE_TEST_FAILURE } from './texts';

/** The days of the story's main events, as midnights. */
export interface Scenes {
  /** A release breaks gift cards, and its flag is turned off within minutes. */
  readonly saved: number;
  /** The fix of that release. */
  readonly repaired: number;
  /** A release makes product pages slow for three hours. */
  readonly bad: number;
  /** The workday before the last. */
  readonly quiet: number;
  /** The last workday. */
  readonly last: number;
}

/** Selects the days of the story's main events. */
export function scenesOf(time: StoryTime): Scenes {
  const saved = workdayBefore(time, 12);
  return {
    saved,
    repaired: workdayAfter(saved),
    bad: workdayBefore(time, 33),
    quiet: workdayBefore(time, 2),
    last: workdayBefore(time, 1),
  };
}

/** The scripted events of a day. */
type Scene = (history: ServiceHistory, day: number) => void;

/** Returns the scripted events of services by name. Days in the script have no other releases. */
function scriptOf(
  scenes: Scenes,
  brokenCommit: string | undefined,
): Map<string, Map<number, Scene>> {
  const at = (day: number, hour: number, minute: number) =>
    day + hour * HOUR_MS + minute * MINUTE_MS;
  return new Map([
    [
      'checkout-api',
      new Map<number, Scene>([
        [
          scenes.saved,
          (history, day) => {
            const release = history.release(at(day, 14, 5), {
              message: 'Pay with gift cards, behind demo.gift-cards',
              smooth: true,
            });
            history.incident(release, {
              title: 'Orders with a gift card fail at payment',
              severity: 'critical',
              afterMinutes: 12,
              hours: 0.15,
            });
          },
        ],
        [
          scenes.repaired,
          (history, day) => {
            history.release(at(day, 10, 30), {
              message: 'Count the gift card before the discount',
              unplanned: true,
              smooth: true,
            });
          },
        ],
        // A day without releases, so that nothing else looks like the cause of what follows.
        [scenes.quiet, () => {}],
        [
          scenes.last,
          (history, day) => {
            // The current situation: partially deployed, and its flag still on.
            const broken = history.failHalfway(at(day, 16, 30), {
              message: 'Split a payment between two cards',
              failure: SMOKE_TEST_FAILURE,
              sha: brokenCommit,
            });
            history.incident(broken, {
              title: 'Split payments are charged twice',
              severity: 'critical',
              afterMinutes: 9,
              hours: null,
            });
          },
        ],
      ]),
    ],
    [
      'storefront-web',
      new Map<number, Scene>([
        [
          scenes.bad,
          (history, day) => {
            const release = history.release(at(day, 11, 10), {
              message: 'New product page',
              smooth: true,
            });
            const { resolvedAt } = history.incident(release, {
              title: 'Product pages take 10 seconds',
              severity: 'critical',
              afterMinutes: 25,
              hours: 3.1,
            });
            history.rollBack(release, (resolvedAt ?? day) - 12 * MINUTE_MS);
          },
        ],
      ]),
    ],
    [
      'warehouse-api',
      new Map<number, Scene>([
        [
          scenes.last,
          (history, day) => {
            const release = history.release(at(day, 15, 20), {
              message: 'Read pick lists from the new table',
              smooth: true,
            });
            history.incident(release, {
              title: 'Pick lists are empty',
              severity: 'major',
              afterMinutes: 21,
              hours: null,
            });
            history.fail(at(day, 16, 48), {
              message: 'Read pick lists from both tables',
              failure: BUILD_FAILURES[1],
            });
          },
        ],
      ]),
    ],
  ]);
}

/**
 * Generates half a year of deployment history for each service.
 *
 * @param options.brokenCommit - the commit of the release that is broken at the end; defaults to
 * an invented one.
 */
export function tellDeliveries(
  { services }: Organisation,
  options: { seed: string; time: StoryTime; brokenCommit?: string },
): ServiceHistory[] {
  const script = scriptOf(scenesOf(options.time), options.brokenCommit);
  return services.map(service =>
    tellService(service, { ...options, scenes: script.get(service.name) }),
  );
}

function tellService(
  service: Service,
  {
    seed,
    time,
    scenes = new Map(),
  }: { seed: string; time: StoryTime; scenes?: Map<number, Scene> },
): ServiceHistory {
  const history = new ServiceHistory(service, { seed, time });
  const { dice } = history;
  // Some services change more often than others of the same team.
  const pace = 0.6 + 0.8 * dice.roll();
  const releases = new Beat(dice.roll());
  const failures = new Beat(dice.roll());
  for (let day = time.start; day < time.end; day += DAY_MS) {
    const scene = scenes.get(day);
    if (scene) {
      scene(history, day);
    } else if (isWorkday(day)) {
      const { releasesPerWeek } = history.performanceAt(day);
      // Every service has its first release in its first week.
      const isFirst =
        history.deployments.length === 0 && day >= time.start + 3 * DAY_MS;
      const count = isFirst ? 1 : releases.add((pace * releasesPerWeek) / 5);
      for (let number = 0; number < count; number += 1) {
        work(
          { history, failures },
          day + (8 + ((number + dice.roll()) / count) * 7) * HOUR_MS,
        );
      }
    }
  }
  return history;
}

/** Adds a release and, if it fails, its incident and the resolution. */
function work(
  { history, failures }: { history: ServiceHistory; failures: Beat },
  moment: number,
): void {
  const { dice } = history;
  const release = history.release(moment);
  const isFirst = history.deployments.length === 1;
  const { failureRate } = history.performanceAt(moment);
  if (isFirst || failures.add(failureRate) === 0) {
    return;
  }
  const { resolvedAt } = history.incident(release);
  const repairedAt = (resolvedAt ?? moment) - 10 * MINUTE_MS;
  if (dice.roll() < 0.4) {
    history.rollBack(release, repairedAt);
  } else {
    history.release(repairedAt, { unplanned: true, smooth: true });
  }
}
