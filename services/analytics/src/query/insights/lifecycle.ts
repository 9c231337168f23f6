import { field } from '../language/Expression.ts';
import { fault } from '../faults.ts';
import type { InsightAnswer, Query } from '../schemas.ts';
import { move, startOf } from '../time/zones.ts';
import {
  assertInsight,
  bucketLabel,
  bucketOf,
  dayOf,
  readBuckets,
} from './buckets.ts';
import type { InsightContext } from '../QueryContext.ts';
import { isOf, nameOf, readSeries, seriesOf, sharedFilters } from './series.ts';
import { countItems, readSubject } from './subject.ts';

/** The status of a person within an interval, in PostHog's order. */
const STATUSES = ['new', 'returning', 'resurrecting', 'dormant'] as const;

/** Answers a LifecycleQuery: how many active people were new, returned, or left. */
export async function answerLifecycle(
  query: Query,
  context: InsightContext,
): Promise<InsightAnswer> {
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
  // One bucket more at the start, to see who was active before.
  const before = startOf(
    move(starts[0], unit, { steps: -1, zone: calendar.zone }),
    unit,
    calendar,
  );
  const all = { starts: [before, ...starts] };
  const counts = await countItems(
    {
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
    },
    context,
  );
  const name = nameOf(asked);
  return {
    results: STATUSES.map((each, place) => {
      const sign = each === 'dormant' ? -1 : 1;
      const data = starts.map(
        (_, index) => sign * (counts.get((index + 1) * 4 + place) ?? 0) || 0,
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
