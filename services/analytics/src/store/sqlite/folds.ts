import type { Fold } from '../../query/language/functionNames.ts';

export type Cell = string | number | null;
type FoldOf<K extends Fold['kind']> = Fold & { kind: K };

/** The computation of an aggregate, row by row. */
export interface Aggregation<State> {
  start(): State;
  step(state: State, args: Cell[]): State;
  result(state: State): Cell;
}

/** The rows of one person: the arguments of each, and the fold as JSON. */
export interface FoldRows {
  readonly cells: Cell[][];
  options: string;
}

/** Computes a fold over all events of one person. */
export const foldAggregate: Aggregation<FoldRows> = {
  start: () => ({ cells: [], options: '' }),
  step(rows, args) {
    rows.options = String(args.pop());
    rows.cells.push(args);
    return rows;
  },
  result: ({ cells, options }) =>
    JSON.stringify(fold(JSON.parse(options), cells)),
};

function fold(of: Fold, cells: readonly (readonly Cell[])[]): unknown[] {
  switch (of.kind) {
    case 'funnel': {
      const events = cells
        .map(([time, steps]) => ({ time: Number(time), steps: Number(steps) }))
        .sort((a, b) => a.time - b.time || a.steps - b.steps);
      return of.order === 'unordered'
        ? unordered(of, events)
        : ordered(of, events);
    }
    case 'retention':
      return retention(of, cells);
    case 'lifecycle':
      return lifecycle(of, cells);
    case 'paths':
      return paths(of, cells);
    default:
      return of satisfies never;
  }
}

interface FunnelEvent {
  readonly time: number;
  /** One bit for each step that the event matches. */
  readonly steps: number;
}

/** The times of the steps that a person reached one after the other. */
interface Attempt {
  readonly times: readonly number[];
  /** True if an event between two steps ended it. */
  readonly isExcluded: boolean;
}
const NO_ATTEMPT: Attempt = { times: [], isExcluded: false };

/** The progress of a person in a funnel. */
interface Progress {
  /** The latest attempt that reached each step. */
  readonly attempts: readonly Attempt[];
  /** The first attempt that got furthest. */
  readonly best: Attempt;
}

/** Returns the times of the first attempt that got furthest; none if it was excluded. */
function ordered(
  of: FoldOf<'funnel'>,
  events: readonly FunnelEvent[],
): number[] {
  const { best } = events.reduce<Progress>(
    (progress, event) => follow(event, progress, of),
    {
      attempts: Array.from({ length: of.steps }, () => NO_ATTEMPT),
      best: NO_ATTEMPT,
    },
  );
  return best.isExcluded ? [] : [...best.times];
}

/** Advances attempts by one event. */
function follow(
  { time, steps: bits }: FunnelEvent,
  { attempts, best }: Progress,
  { steps, windowMs, order, excludes = false }: FoldOf<'funnel'>,
): Progress {
  const isWithin = ({ times: [start] }: Attempt) =>
    start !== undefined && time - start <= windowMs;
  const isHit = attempts.map(
    (attempt, step) =>
      excludes &&
      step < steps - 1 &&
      ((bits >> (steps + step)) & 1) === 1 &&
      isWithin(attempt) &&
      attempts[step + 1].times[0] !== attempt.times[0] &&
      // An event at the same time as a step is not after it.
      time > attempt.times[step],
  );
  const before = attempts.map((attempt, step) =>
    isHit[step] ? { ...attempt, isExcluded: true } : attempt,
  );
  const known =
    isHit[best.times.length - 1] && isWithin(best)
      ? { ...best, isExcluded: true }
      : best;
  let furthest = NO_ATTEMPT;
  const after = before.map((attempt, step) => {
    const previous = step === 0 ? NO_ATTEMPT : before[step - 1];
    const isReached =
      step === 0 ||
      (isWithin(previous) && attempt.times[0] !== previous.times[0]);
    if ((bits >> step) & 1 && isReached) {
      furthest = { ...previous, times: [...previous.times, time] };
      if (!previous.isExcluded) {
        return furthest;
      }
    }
    return order === 'strict' ? NO_ATTEMPT : attempt;
  });
  const isFurther = furthest.times.length > known.times.length;
  const isAgain =
    known.isExcluded && furthest.times.length === known.times.length;
  return { attempts: after, best: isFurther || isAgain ? furthest : known };
}

/** Returns the times of the largest number of steps within one window. */
function unordered(
  { steps, windowMs }: FoldOf<'funnel'>,
  events: readonly FunnelEvent[],
): number[] {
  const last = new Array<number>(steps).fill(-Infinity);
  let best: number[] = [];
  for (const { time, steps: bits } of events) {
    const taken = last
      .map((at, step) => ({ at, step }))
      .filter(({ step }) => (bits >> step) & 1)
      .reduce((oldest, each) => (each.at < oldest.at ? each : oldest));
    last[taken.step] = time;
    const within = last.filter(at => at >= time - windowMs);
    if (within.length > best.length) {
      best = within.sort((a, b) => a - b);
    }
  }
  return best;
}

function retention(
  { firstOnly, cumulative, occurrences, intervals }: FoldOf<'retention'>,
  cells: readonly (readonly Cell[])[],
): number[] {
  const isInside = (bucket: number) => bucket >= 0 && bucket < intervals;
  const targets = cells
    .filter(([, isTarget]) => isTarget)
    .map(([b]) => Number(b));
  const starts = (
    firstOnly
      ? targets
          .slice(0)
          .sort((a, b) => a - b)
          .slice(0, 1)
      : targets
  ).filter(isInside);
  const counts = new Map<number, number>();
  for (const [bucket, , isReturn] of cells) {
    if (isReturn) {
      counts.set(Number(bucket), (counts.get(Number(bucket)) ?? 0) + 1);
    }
  }
  const returns = [...counts]
    .filter(([bucket, count]) => isInside(bucket) && count >= occurrences)
    .map(([bucket]) => bucket);
  return [...new Set(starts)].flatMap(start => {
    const after = returns.filter(each => each > start);
    const offsets = cumulative
      ? Array.from(
          { length: Math.max(start, ...after) - start },
          (_, index) => index + 1,
        )
      : after.map(each => each - start);
    return [0, ...offsets].map(offset => start * 1000 + offset);
  });
}

function lifecycle(
  { buckets }: FoldOf<'lifecycle'>,
  cells: readonly (readonly Cell[])[],
): number[] {
  const first = cells.reduce(
    (least, [bucket]) => Math.min(least, Number(bucket)),
    Number.POSITIVE_INFINITY,
  );
  const active = new Set(
    cells
      .filter(([bucket, isMatch]) => isMatch && Number(bucket) >= 0)
      .map(([bucket]) => Number(bucket)),
  );
  return [...active].flatMap(bucket => {
    const before = active.has(bucket - 1) ? 1 : 2;
    const status = bucket === first ? 0 : before;
    const isDormantAfter = bucket + 1 < buckets && !active.has(bucket + 1);
    return [
      ...(bucket >= 1 ? [bucket * 4 + status] : []),
      ...(isDormantAfter ? [(bucket + 1) * 4 + 3] : []),
    ];
  });
}

interface Visit {
  readonly time: number;
  readonly id: string;
  readonly item: string;
}

function paths(
  { gapMs, steps, start, end }: FoldOf<'paths'>,
  cells: readonly (readonly Cell[])[],
): (string | number)[][] {
  const visits = cells
    .map(([time, item, id]): Visit => ({
      time: Number(time),
      item: String(item ?? ''),
      id: String(id),
    }))
    .sort((a, b) => a.time - b.time || (a.id < b.id ? -1 : 1));
  const sessions: Visit[][] = [];
  visits.forEach((visit, index) => {
    const before = visits[index - 1];
    if (!before || visit.time - before.time > gapMs) {
      sessions.push([]);
    }
    sessions.at(-1)!.push(visit);
  });
  return sessions
    .map(session =>
      session.filter(({ item }, index) => item !== session[index - 1]?.item),
    )
    .flatMap(session => {
      const from = start === undefined ? 0 : indexOf(session, start);
      if (from < 0) {
        return [];
      }
      const begun = session.slice(from);
      const to = end === undefined ? begun.length - 1 : indexOf(begun, end);
      if (to < 0) {
        return [];
      }
      const ended = begun.slice(0, to + 1);
      const cut =
        end !== undefined && start === undefined
          ? ended.slice(-steps)
          : ended.slice(0, steps);
      return cut
        .slice(1)
        .map((visit, index) => [
          index + 1,
          cut[index].item,
          visit.item,
          visit.time - cut[index].time,
        ]);
    });
}

function indexOf(session: readonly Visit[], item: string): number {
  return session.findIndex(visit => visit.item === item);
}
