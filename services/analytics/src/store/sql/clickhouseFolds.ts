import type { Fold } from '../../query/language/functionNames.ts';
import { writeFunnel } from './clickhouseFunnels.ts';

/** Writes a computation over the events of one person. */
export function writeClickhouseFold(
  fold: Fold,
  args: readonly string[],
): string {
  switch (fold.kind) {
    case 'funnel':
      return writeFunnel(fold, args);
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
  const counts = `sumMapIf([toInt64(${bucket})], [toUInt64(1)], ${isReturn} AND ${inside})`;
  const returns =
    occurrences > 1
      ? `arrayElement(arrayMap(m -> arrayFilter((b, n) -> n >= ${occurrences}, m.1, m.2), [${counts}]), 1)`
      : `groupUniqArrayIf(toInt64(${bucket}), ${isReturn} AND ${inside})`;
  const after = 'arrayFilter(b -> b > a, r)';
  const offsets = cumulative
    ? `if(notEmpty(${after}), arrayMap(o -> toInt64(a * 1000 + o), range(1, toUInt32(arrayMax(${after}) - a + 1))), [])`
    : `arrayMap(b -> toInt64(a * 1000 + b - a), ${after})`;
  return `arrayElement(arrayMap((starts, r) -> arrayFlatten(arrayMap(a -> arrayConcat([toInt64(a * 1000)], ${offsets}), starts)), [${starts}], [${returns}]), 1)`;
}

/**
 * Items are 4 times the index of a bucket, plus 0 for new, 1 for returning, 2 for
 * resurrecting or 3 for dormant.
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

/** Items are (index, from, to, milliseconds) for every two consecutive events of a session. */
function writePaths(
  { gapMs, steps, start, end }: Fold & { kind: 'paths' },
  [time, item, id]: readonly string[],
): string {
  const events = `arraySort(groupArray((toInt64(${time}), ${id}, ifNull(${item}, ''))))`;
  // A list that a lambda refers to is copied for every item, so neighbours are arguments.
  const shifted = (list: string) =>
    `arrayPushFront(arrayPopBack(${list}), ${list}[1])`;
  const sessions = `arrayElement(arrayMap(a -> arraySplit((x, before) -> x.1 - before.1 > ${gapMs}, a, ${shifted(
    'a',
  )}), [${events}]), 1)`;
  const compact = `arrayFilter((x, before, i) -> i = 1 OR x.3 != before.3, s, ${shifted(
    's',
  )}, arrayEnumerate(s))`;
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
  const pairs = `arrayMap((from, to, i) -> (toInt64(i), from.3, to.3, to.1 - from.1), arrayPopBack(s), arrayPopFront(s), range(1, greatest(length(s), 1)))`;
  return `arrayFlatten(arrayMap(s -> ${pairs}, arrayMap(s -> ${cut}, ${ended})))`;
}
