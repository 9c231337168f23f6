import type { AnalyticsEvent } from '../events/AnalyticsEvent.ts';

/** Groups events by person, ordered by time. */
export function byPerson(
  events: readonly AnalyticsEvent[],
): Map<string, AnalyticsEvent[]> {
  const people = new Map<string, AnalyticsEvent[]>();
  for (const event of [...events].sort((a, b) => a.timestamp - b.timestamp)) {
    people.set(event.distinctId, [
      ...(people.get(event.distinctId) ?? []),
      event,
    ]);
  }
  return people;
}

interface FunnelByHand {
  readonly steps: readonly string[];
  readonly windowMs: number;
  readonly order: 'ordered' | 'strict' | 'unordered';
}

/** Computes how many steps of a funnel a person completes, trying every event as the first. */
export function depthByHand(
  own: readonly AnalyticsEvent[],
  { steps, windowMs, order }: FunnelByHand,
): number {
  // Among events at the same time, those of earlier steps come first.
  const events = [...own].sort(
    (a, b) =>
      a.timestamp - b.timestamp ||
      steps.indexOf(a.event) - steps.indexOf(b.event),
  );
  const from = (start: number): number => {
    const begin = events[start].timestamp;
    const within = events
      .slice(start)
      .filter(({ timestamp }) => timestamp - begin <= windowMs);
    if (order === 'unordered') {
      return new Set(
        within.map(({ event }) => event).filter(each => steps.includes(each)),
      ).size;
    }
    let depth = 0;
    for (const { event } of within) {
      if (event === steps[depth]) {
        depth += 1;
      } else if (order === 'strict') {
        break;
      }
    }
    return depth;
  };
  return Math.max(0, ...events.map((_, start) => from(start)));
}

/** Counts the people active in one bucket who are active again in each later bucket. */
export function retentionByHand(
  people: ReadonlyMap<string, readonly AnalyticsEvent[]>,
  options: {
    target: string;
    returning: string;
    starts: readonly number[];
    end: number;
    firstOnly: boolean;
  },
): number[][] {
  const { target, returning, starts, end, firstOnly } = options;
  const did = (
    events: readonly AnalyticsEvent[],
    name: string,
    bucket: number,
  ) =>
    events.some(
      ({ event, timestamp }) =>
        event === name &&
        timestamp >= starts[bucket] &&
        timestamp < (starts[bucket + 1] ?? end),
    );
  return starts.map((start, cohort) => {
    const members = [...people.values()].filter(events => {
      const isFirst = !events.some(
        ({ event, timestamp }) => event === target && timestamp < start,
      );
      return did(events, target, cohort) && (isFirst || !firstOnly);
    });
    return starts
      .slice(cohort)
      .map((_, later) =>
        later === 0
          ? members.length
          : members.filter(events => did(events, returning, cohort + later))
              .length,
      );
  });
}

/** Counts the new, returning, resurrecting and dormant people of each bucket. */
export function lifecycleByHand(
  people: ReadonlyMap<string, readonly AnalyticsEvent[]>,
  options: { name: string; starts: readonly number[]; end: number },
): number[][] {
  const { name, starts, end } = options;
  const inside = (timestamp: number, bucket: number) =>
    timestamp >= starts[bucket] && timestamp < (starts[bucket + 1] ?? end);
  const statuses = starts.slice(1).map((_, index) => {
    const bucket = index + 1;
    return [...people.values()].map(events => {
      const did = (at: number) =>
        events.some(
          ({ event, timestamp }) => event === name && inside(timestamp, at),
        );
      if (!did(bucket)) {
        return did(bucket - 1) ? 'dormant' : 'absent';
      }
      if (inside(events[0].timestamp, bucket)) {
        return 'new';
      }
      return did(bucket - 1) ? 'returning' : 'resurrecting';
    });
  });
  return ['new', 'returning', 'resurrecting', 'dormant'].map(status =>
    statuses.map(all => {
      const count = all.filter(each => each === status).length;
      return status === 'dormant' ? 0 - count : count;
    }),
  );
}

/** Counts the people who were active on exactly one day, on two, and so on. */
export function stickinessByHand(
  people: ReadonlyMap<string, readonly AnalyticsEvent[]>,
  options: { name: string; starts: readonly number[]; end: number },
): number[] {
  const { name, starts, end } = options;
  const days = [...people.values()].map(
    events =>
      starts.filter((start, index) =>
        events.some(
          ({ event, timestamp }) =>
            event === name &&
            timestamp >= start &&
            timestamp < (starts[index + 1] ?? end),
        ),
      ).length,
  );
  return starts.map(
    (_, index) => days.filter(each => each === index + 1).length,
  );
}

/** Lists the transitions between the events of each visit. */
export function pathsByHand(
  people: ReadonlyMap<string, readonly AnalyticsEvent[]>,
  steps: number,
): Map<string, number> {
  const edges = new Map<string, number>();
  for (const events of people.values()) {
    let visit: string[] = [];
    let last: number | undefined;
    const close = () => {
      visit.slice(0, steps).forEach((item, index, cut) => {
        if (index > 0) {
          const edge = `${index}_${cut[index - 1]} ${index + 1}_${item}`;
          edges.set(edge, (edges.get(edge) ?? 0) + 1);
        }
      });
      visit = [];
    };
    for (const { event, timestamp } of events) {
      if (last !== undefined && timestamp - last > 1_800_000) {
        close();
      }
      last = timestamp;
      if (visit.at(-1) !== event) {
        visit.push(event);
      }
    }
    close();
  }
  return edges;
}
