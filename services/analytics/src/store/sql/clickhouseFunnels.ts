import type { Fold } from '../../query/language/functionNames.ts';

type FunnelFold = Fold & { kind: 'funnel' };

/** Earlier than every time. */
const NEVER = 'toInt64(-9000000000000000)';
const NO_TIMES = `CAST([], 'Array(Int64)')`;
/**
 * Number of step bits in an event, which is encoded as one number to sort quickly: its
 * time, followed by one bit per step.
 */
const STEP_BITS = 20;
const TIME = `bitShiftRight(e, ${STEP_BITS})`;
/** The engine keeps one column per item of the list that it folds, so lists are folded in parts. */
const FOLDED_AT_ONCE = 1_000;

/**
 * Writes how far a person gets in a funnel: the times of the steps in the first attempt
 * that got furthest.
 */
export function writeFunnel(
  fold: FunnelFold,
  [time, steps]: readonly string[],
): string {
  // Equal times count as in order.
  const all = `arraySort(groupArray(bitShiftLeft(toInt64(${time}), ${STEP_BITS}) + toInt64(${steps})))`;
  if (fold.excludes) {
    return writeAttempts(fold, all);
  }
  const events = withoutRepeats(all, fold);
  switch (fold.order) {
    case 'ordered':
      return writeInOrder(fold, events);
    case 'strict':
      return writeAttempts(fold, events);
    default:
      return writeUnordered(fold, events);
  }
}

/**
 * Removes repeated events that do not change the result, of which a person may have very
 * many. In a run of events of the same step, these are the events between the first and the
 * last, or all but the first of a later step. In strict order, only runs of the first step
 * and of events that match no step are shortened.
 */
function withoutRepeats(events: string, { order }: FunnelFold): string {
  const stepsOf = (event: string) => `bitAnd(${event}, ${2 ** STEP_BITS - 1})`;
  const steps = stepsOf('e');
  const isOneStep = `bitCount(${steps}) = 1`;
  const isRepeated = {
    ordered: `${isOneStep} AND (${steps} > 1 OR ${steps} = ${stepsOf('next')})`,
    unordered: `${isOneStep} AND ${steps} = ${stepsOf('next')}`,
    strict: `${steps} = 0 OR (${steps} = 1 AND ${stepsOf('next')} = 1)`,
  }[order];
  return `arrayFilter((e, before, next) -> ${steps} != ${stepsOf(
    'before',
  )} OR NOT (${isRepeated}), ${events}, arrayPushFront(arrayPopBack(${events}), -1), arrayPushBack(arrayPopFront(${events}), -1))`;
}

/**
 * Finds for each event the attempts in progress before it, with functions over whole lists:
 * for each step k, the start of the latest attempt that reached it (`p`) and the index of
 * the event that did so (`q`). `i` is the index of the first event that reached the step, and `c`
 * the start of its attempt.
 */
function writeInOrder({ steps, windowMs }: FunnelFold, events: string): string {
  const ranks = Array.from({ length: steps }, (_, index) => index + 1);
  const before = (list: string, none: string) =>
    `arrayPushFront(arrayPopBack(arrayFill(x -> x != ${none}, ${list})), ${none})`;
  /** Writes the start of the attempt that each event continues. */
  const continuedAt = (k: number) =>
    k === 1
      ? `arrayMap(e -> if(bitTest(e, 0), ${TIME}, ${NEVER}), f_e)`
      : `arrayMap((e, p) -> if(bitTest(e, ${
          k - 1
        }) AND p != ${NEVER} AND ${TIME} - p <= ${windowMs}, p, ${NEVER}), f_e, f_p${
          k - 1
        })`;
  const listsOf = (k: number): Record<string, string> => {
    const continued = continuedAt(k);
    const latest = before(continued, NEVER);
    const first = `arrayFirstIndex(c -> c != ${NEVER}, ${continued})`;
    return {
      [`f_i${k}`]: first,
      ...(k > 1 && { [`f_c${k}`]: `arrayElement(${continued}, ${first})` }),
      ...(k < steps && { [`f_p${k}`]: latest }),
      // Further events of a step do not belong to an attempt that has already reached it.
      ...(k > 1 &&
        k < steps && {
          [`f_q${k}`]: before(
            `arrayMap((c, p, i) -> if(c != ${NEVER} AND c != p, i, 0), ${continued}, ${latest}, arrayEnumerate(${continued}))`,
            '0',
          ),
        }),
    };
  };
  /** Traces the first attempt that reached step k back to its start. */
  const timesOf = (k: number): string => {
    let place = `f_i${k}`;
    const times = [`bitShiftRight(f_e[${place}], ${STEP_BITS})`];
    for (let step = k - 1; step > 1; step -= 1) {
      place = `f_q${step}[${place}]`;
      times.unshift(`bitShiftRight(f_e[${place}], ${STEP_BITS})`);
    }
    return `[${k === 1 ? times[0] : [`f_c${k}`, ...times].join(', ')}]`;
  };
  const furthest = `multiIf(${ranks
    .toReversed()
    .map(k => `f_i${k} > 0, ${timesOf(k)}`)
    .join(', ')}, ${NO_TIMES})`;
  return [{ f_e: events }, ...ranks.map(listsOf)].reduceRight(
    (inner, values) => withValues(values, inner),
    furthest,
  );
}

/**
 * Writes an expression with names for values, which are parameters of a function: the engine would
 * replace aliases by what they stand for, and so take twice as long for each further step.
 */
function withValues(values: Record<string, string>, inner: string): string {
  const names = Object.keys(values).join(', ');
  const lists = Object.values(values).map(value => `[${value}]`);
  return `arrayElement(arrayMap((${names}) -> ${inner}, ${lists.join(', ')}), 1)`;
}

/**
 * Follows attempts event by event. Keeps for each step k, as a separate tuple, the k times
 * of the latest attempt that reached it, and the times of the first attempt that got
 * furthest. With exclusions, it also keeps for each of these attempts whether it is
 * excluded.
 */
function writeAttempts(fold: FunnelFold, events: string): string {
  const { order, steps, windowMs, excludes = false } = fold;
  const ranks = Array.from({ length: steps }, (_, index) => index + 1);
  const [best, isBestExcluded, flags] = [1, 2, 3].map(
    place => `s.${steps + place}`,
  );
  const never = (k: number) => `tuple(${Array(k).fill(NEVER).join(', ')})`;
  const isWithin = (start: string) => `${TIME} - ${start} <= ${windowMs}`;
  const isAt = (k: number) =>
    `s.${k}.1 != ${NEVER} AND ${isWithin(`s.${k}.1`)}`;
  const isHit = (k: number) =>
    `(bitTest(e, ${steps + k - 1}) AND ${isAt(k)} AND s.${k + 1}.1 != s.${k}.1 AND ${TIME} > s.${k}.${k})`;
  const isExcluded = (k: number) =>
    !excludes || k === 0 || k === steps
      ? '0'
      : `(${flags}.${k} OR ${isHit(k)})`;
  const timesOf = (k: number) =>
    [...ranks.slice(0, k - 1).map(i => `s.${k - 1}.${i}`), TIME].join(', ');
  const isReached = (k: number) =>
    k === 1
      ? 'bitTest(e, 0)'
      : `bitTest(e, ${k - 1}) AND ${isAt(k - 1)} AND s.${k}.1 != s.${k - 1}.1`;
  const isTaken = (k: number) =>
    excludes ? `(${isReached(k)} AND NOT ${isExcluded(k - 1)})` : isReached(k);
  const otherwise = (k: number) => (order === 'strict' ? never(k) : `s.${k}`);
  /** Writes a value for the furthest step that the event reaches. */
  const ofFurthest = (write: (k: number) => string, none: string) =>
    `multiIf(${ranks
      .toReversed()
      .map(k => `${isReached(k)}, ${write(k)}`)
      .join(', ')}, ${none})`;
  const furthest = ofFurthest(String, '0');
  const isOut = `(${[
    isBestExcluded,
    ...ranks
      .slice(0, -1)
      .map(
        k =>
          `(length(${best}) = ${k} AND ${isHit(k)} AND ${isWithin(`${best}[1]`)})`,
      ),
  ].join(' OR ')})`;
  const isBetter = `(${furthest} > length(${best})${
    excludes
      ? ` OR (${furthest} = length(${best}) AND ${isOut} AND ${furthest} > 0)`
      : ''
  })`;
  const next = [
    ...ranks.map(
      k => `if(${isTaken(k)}, tuple(${timesOf(k)}), ${otherwise(k)})`,
    ),
    `if(${isBetter}, ${ofFurthest(k => `[${timesOf(k)}]`, NO_TIMES)}, ${best})`,
  ];
  const start = [...ranks.map(never), NO_TIMES];
  if (excludes) {
    const nextFlags = ranks.map(
      k => `if(${isTaken(k)}, 0, ${order === 'strict' ? '0' : isExcluded(k)})`,
    );
    next.push(
      `if(${isBetter}, ${ofFurthest(k => isExcluded(k - 1), '0')}, ${isOut})`,
      `tuple(${nextFlags.join(', ')})`,
    );
    start.push('0', `tuple(${ranks.map(() => '0').join(', ')})`);
  }
  const states = foldEvents(`tuple(${next.join(', ')})`, {
    events,
    start: `tuple(${start.join(', ')})`,
  });
  const result = excludes
    ? `if(${isBestExcluded}, ${NO_TIMES}, ${best})`
    : best;
  return `arrayElement(arrayMap(s -> ${result}, [${states}]), 1)`;
}

/** Keeps the latest time of each step, and the largest number of steps within one window. */
function writeUnordered(
  { steps, windowMs }: FunnelFold,
  events: string,
): string {
  const ranks = `range(1, ${steps + 1})`;
  const within = `arraySort(arrayFilter(x -> x > ${NEVER} AND x >= arrayMax(s.1) - ${windowMs}, s.1))`;
  const longer = `if(length(${within}) > length(s.2), ${within}, s.2)`;
  const oldest = `arraySort(k -> (s.1[k], k), arrayFilter(k -> bitTest(e, k - 1), ${ranks}))[1]`;
  const last = `arrayMap(k -> if(k = ${oldest}, ${TIME}, s.1[k]), ${ranks})`;
  const states = foldEvents(`(${last}, ${longer})`, {
    events,
    start: `(arrayWithConstant(${steps}, ${NEVER}), ${NO_TIMES})`,
  });
  return `arrayElement(arrayMap(s -> ${longer}, [${states}]), 1)`;
}

/** Writes a fold of events `e` into a state `s`. */
function foldEvents(
  next: string,
  { events, start }: { events: string; start: string },
): string {
  const parts = `arrayMap(i -> arraySlice(${events}, i * ${FOLDED_AT_ONCE} + 1, ${FOLDED_AT_ONCE}), range(intDiv(length(${events}) + ${
    FOLDED_AT_ONCE - 1
  }, ${FOLDED_AT_ONCE})))`;
  return `arrayFold((s, part) -> arrayFold((s, e) -> ${next}, part, s), ${parts}, ${start})`;
}
