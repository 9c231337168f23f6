import type { Fold } from '../../query/language/Expression.ts';

/** Maximum number of events per person. */
const MOST_EVENTS = 100_000;
/** Earlier than every time. */
const NEVER = '-9000000000000000';

/** Writes a computation over the events of one person. */
export function writeClickhouseFold(
  fold: Fold,
  args: readonly string[],
): string {
  switch (fold.kind) {
    case 'funnel':
      return fold.order === 'unordered'
        ? writeUnordered(fold, args)
        : writeOrdered(fold, args);
    case 'retention':
      return writeRetention(fold, args);
    case 'lifecycle':
      return writeLifecycle(fold, args);
    case 'paths':
      return writePaths(fold, args);
    default:
      return fold satisfies never;
  }
}

/** Writes times and steps in order; equal times count as in order. */
function eventsOf([time, steps]: readonly string[]): string {
  return `arraySort(groupArray(${MOST_EVENTS})((toInt64(${time}), toUInt32(${steps}))))`;
}

/**
 * Keeps for each step the times of the latest attempt that reached it, followed by those
 * of the first attempt that got furthest.
 */
function writeOrdered(
  { steps, windowMs, order }: Fold & { kind: 'funnel' },
  args: readonly string[],
): string {
  const reached = `(k = 1 OR (notEmpty(s[k - 1]) AND e.1 - s[k - 1][1] <= ${windowMs} AND (empty(s[k]) OR s[k][1] != s[k - 1][1])))`;
  const otherwise = order === 'strict' ? '[]' : 's[k]';
  const furthest = (states: string) =>
    `arrayLast(x -> notEmpty(x), arraySlice(${states}, 1, ${steps}))`;
  const longer = (states: string) =>
    `if(length(${furthest(states)}) > length(${states}[${steps + 1}]), ${furthest(states)}, ${states}[${steps + 1}])`;
  const states = `arrayFold((s, e) -> arrayMap(k -> multiIf(k > ${steps}, ${longer('s')}, bitTest(e.2, k - 1) AND ${reached}, arrayPushBack(if(k = 1, CAST([], 'Array(Int64)'), s[k - 1]), e.1), ${otherwise}), range(1, ${steps + 2})), ${eventsOf(args)}, CAST(arrayResize([], ${steps + 1}), 'Array(Array(Int64))'))`;
  return `arrayElement(arrayMap(s -> ${longer('s')}, [${states}]), 1)`;
}

/** Keeps the latest time of each step, and the largest number of steps within one window. */
function writeUnordered(
  { steps, windowMs }: Fold & { kind: 'funnel' },
  args: readonly string[],
): string {
  const within = `arraySort(arrayFilter(x -> x > ${NEVER} AND x >= arrayMax(s[1]) - ${windowMs}, s[1]))`;
  const longer = `if(length(${within}) > length(s[2]), ${within}, s[2])`;
  const taken = `arraySort(k -> (s[1][k], k), arrayFilter(k -> bitTest(e.2, k - 1), range(1, ${steps + 1})))[1]`;
  const last = `arrayMap(k -> if(k = ${taken}, e.1, s[1][k]), range(1, ${steps + 1}))`;
  const states = `arrayFold((s, e) -> [${last}, ${longer}], ${eventsOf(args)}, CAST([arrayResize([], ${steps}, ${NEVER}), []], 'Array(Array(Int64))'))`;
  return `arrayElement(arrayMap(s -> ${longer}, [${states}]), 1)`;
}

/** Items are 1000 times the index of the first interval plus the number of intervals after it. */
function writeRetention(
  {
    firstOnly,
    cumulative,
    occurrences,
    intervals,
  }: Fold & { kind: 'retention' },
  [bucket, isTarget, isReturn]: readonly string[],
): string {
  const inside = `${bucket} >= 0 AND ${bucket} < ${intervals}`;
  const first = `arrayFilter(b -> b >= 0 AND b < ${intervals}, if(countIf(${isTarget}) > 0, [toInt64(minIf(${bucket}, ${isTarget}))], []))`;
  const starts = firstOnly
    ? first
    : `groupUniqArrayIf(toInt64(${bucket}), ${isTarget} AND ${inside})`;
  const all = `groupArrayIf(${MOST_EVENTS})(toInt64(${bucket}), ${isReturn} AND ${inside})`;
  const returns =
    occurrences > 1
      ? `arrayFilter(b -> countEqual(${all}, b) >= ${occurrences}, arrayDistinct(${all}))`
      : `groupUniqArrayIf(toInt64(${bucket}), ${isReturn} AND ${inside})`;
  const after = 'arrayFilter(b -> b > a, r)';
  const offsets = cumulative
    ? `if(notEmpty(${after}), arrayMap(o -> toInt64(a * 1000 + o), range(1, toUInt32(arrayMax(${after}) - a + 1))), [])`
    : `arrayMap(b -> toInt64(a * 1000 + b - a), ${after})`;
  return `arrayElement(arrayMap((starts, r) -> arrayFlatten(arrayMap(a -> arrayConcat([toInt64(a * 1000)], ${offsets}), starts)), [${starts}], [${returns}]), 1)`;
}

/**
 * Items are 4 times the index of a bucket plus 0 for new, 1 returning, 2 resurrecting, 3
 * dormant.
 */
function writeLifecycle(
  { buckets }: Fold & { kind: 'lifecycle' },
  [bucket, isMatch]: readonly string[],
): string {
  const active = `groupUniqArrayIf(toInt64(${bucket}), ${isMatch} AND ${bucket} >= 0)`;
  const first = `toInt64(min(${bucket}))`;
  return `arrayElement(arrayMap((active, first) -> arrayConcat(
    arrayMap(b -> toInt64(b * 4 + multiIf(b = first, 0, has(active, b - 1), 1, 2)), arrayFilter(b -> b >= 1, active)),
    arrayMap(b -> toInt64((b + 1) * 4 + 3), arrayFilter(b -> b + 1 < ${buckets} AND NOT has(active, b + 1), active))
  ), [${active}], [${first}]), 1)`;
}

/** Items are (index, from, to, milliseconds) for each two consecutive events of a session. */
function writePaths(
  { gapMs, steps, start, end }: Fold & { kind: 'paths' },
  [time, item, id]: readonly string[],
): string {
  const events = `arraySort(groupArray(${MOST_EVENTS})((toInt64(${time}), ${id}, ifNull(${item}, ''))))`;
  const sessions = `arrayElement(arrayMap(a -> arraySplit((x, i) -> i > 1 AND x.1 - a[i - 1].1 > ${gapMs}, a, arrayEnumerate(a)), [${events}]), 1)`;
  const compact =
    'arrayFilter((x, i) -> i = 1 OR x.3 != s[i - 1].3, s, arrayEnumerate(s))';
  const literal = (text: string) =>
    `unhex('${Buffer.from(text).toString('hex')}')`;
  const indexOf = (text: string) =>
    `indexOf(arrayMap(x -> x.3, s), ${literal(text)})`;
  const compacted = `arrayMap(s -> ${compact}, ${sessions})`;
  const begun =
    start === undefined
      ? compacted
      : `arrayMap(s -> arraySlice(s, ${indexOf(start)}), arrayFilter(s -> ${indexOf(start)} > 0, ${compacted}))`;
  const ended =
    end === undefined
      ? begun
      : `arrayMap(s -> arraySlice(s, 1, ${indexOf(end)}), arrayFilter(s -> ${indexOf(end)} > 0, ${begun}))`;
  const cut =
    end !== undefined && start === undefined
      ? `arraySlice(s, greatest(toInt64(length(s)) - ${steps - 1}, 1))`
      : `arraySlice(s, 1, ${steps})`;
  const pairs = `arrayMap(i -> (toInt64(i), s[i].3, s[i + 1].3, s[i + 1].1 - s[i].1), range(1, length(s)))`;
  return `arrayFlatten(arrayMap(s -> ${pairs}, arrayMap(s -> ${cut}, ${ended})))`;
}
