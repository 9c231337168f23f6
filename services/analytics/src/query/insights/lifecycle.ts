import {
  call,
  equals,
  type Expression,
  field,
  valueOf,
} from '../language/Expression.ts';
import { fault } from '../faults.ts';
import {
  LIFECYCLE_STATUSES as STATUSES,
  type LifecycleStatus,
} from '../actorSchemas.ts';
import type { Series } from '../insightSchemas.ts';
import type { InsightAnswer, Query } from '../schemas.ts';
import { move, startOf } from '../time/zones.ts';
import {
  assertInsight,
  bucketLabel,
  bucketOf,
  type Buckets,
  dayOf,
  readBuckets,
} from './buckets.ts';
import type { InsightContext } from '../QueryContext.ts';
import { isOf, nameOf, readSeries, seriesOf, sharedFilters } from './series.ts';
import {
  countItems,
  ITEM,
  type ListPerSubject,
  readSubject,
} from './subject.ts';

/** A parsed LifecycleQuery. */
interface Lifecycle {
  readonly asked: Series;
  /** A list per person, with {@link itemOf} each bar that counts the person. */
  readonly lists: ListPerSubject;
  readonly buckets: Buckets;
}

/** Returns the item for the people with a status in a bucket; bucket 0 is the first that is shown. */
function itemOf(bucket: number, status: LifecycleStatus): number {
  return (bucket + 1) * STATUSES.length + STATUSES.indexOf(status);
}

/** Returns the conditions that an item has a bucket and a status; an omitted one matches any. */
export function hasStatus({
  bucket,
  status,
}: {
  bucket?: number;
  status?: LifecycleStatus;
}): Expression[] {
  const place = call('modulo', [ITEM, valueOf(STATUSES.length)], 'number');
  const start = call('minus', [ITEM, place], 'number');
  return [
    ...(bucket === undefined
      ? []
      : [equals(start, itemOf(bucket, STATUSES[0]))]),
    ...(status === undefined ? [] : [equals(place, STATUSES.indexOf(status))]),
  ];
}

/** Parses a LifecycleQuery. */
export async function readLifecycle(
  query: Query,
  context: InsightContext,
): Promise<Lifecycle> {
  assertInsight(query);
  const series = seriesOf(query);
  if (series.length > 1) {
    throw fault('query.series', 'can only have one series', 'maxItems');
  }
  const [asked] = series;
  const matching = readSeries(asked, 'query.series.0', context);
  const shared = sharedFilters(query, context);
  const subject = readSubject(query, context);
  const buckets = await readBuckets(query, context);
  const { unit, calendar, starts } = buckets;
  // Read one more bucket at the start, to know who was active before.
  const before = startOf(
    move(starts[0], unit, { steps: -1, zone: calendar.zone }),
    unit,
    calendar,
  );
  const all = { starts: [before, ...starts] };
  const lists: ListPerSubject = {
    subject,
    // A person is new at their first event of any kind in the whole project.
    events: { before: buckets.end },
    where: [],
    columns: [
      bucketOf(all),
      isOf({ ...matching, where: [...matching.where, ...shared] }),
    ],
    list: {
      kind: 'aggregate',
      function: { kind: 'lifecycle', buckets: all.starts.length },
      args: [field(1, 'number'), field(2, 'boolean')],
      of: 'numbers',
    },
  };
  return { asked, lists, buckets };
}

/** Answers a LifecycleQuery: how many active people were new, returned, or left. */
export async function answerLifecycle(
  query: Query,
  context: InsightContext,
): Promise<InsightAnswer> {
  const { asked, lists, buckets } = await readLifecycle(query, context);
  const { starts } = buckets;
  const counts = await countItems(lists, context);
  const name = nameOf(asked);
  return {
    results: STATUSES.map(each => {
      const sign = each === 'dormant' ? -1 : 1;
      const data = starts.map(
        (_, index) => sign * (counts.get(itemOf(index, each)) ?? 0) || 0,
      );
      return {
        action: { id: asked.event || null, type: 'events', order: 0, name },
        label: `${name} - ${each}`,
        status: each,
        data,
        count: data.reduce((sum, number) => sum + number, 0),
        days: starts.map(start => dayOf(start, buckets)),
        labels: starts.map(start => bucketLabel(start, buckets)),
      };
    }),
  };
}
