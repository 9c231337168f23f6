import type { Story } from '../story/Story';
import { HOUR_MS } from '../story/time';

/** A cohort of the demo, in the format of the service. */
interface CohortOfDemo {
  readonly name: string;
  readonly description: string;
  readonly filters?: object;
  /** The people of a fixed list. */
  readonly distinct_ids?: readonly string[];
}

/** The fields of a customer's event that cohorts need. */
interface CustomerEvent {
  readonly distinct_id: string;
  readonly timestamp: string;
}

const all = (...values: object[]) => ({ properties: { type: 'AND', values } });

const did = (event: string, more: object) => ({
  type: 'behavioral',
  key: event,
  value: 'performed_event',
  ...more,
});

const THIRTY_DAYS = { time_value: 30, time_interval: 'day' };

/** Returns cohorts of the shop's customers: by a property, by behaviour, and as a fixed list. */
export function cohortsOf(
  story: Story,
  events: readonly CustomerEvent[],
): CohortOfDemo[] {
  return [
    {
      name: 'Lantern buyers',
      description: 'Their last order was a storm lantern',
      filters: all({
        type: 'person',
        key: 'product',
        value: 'Storm lantern',
        operator: 'exact',
      }),
    },
    {
      name: 'Left with a full cart',
      description:
        'Added something to the cart in the last 30 days, and paid nothing',
      filters: all(
        did('added to cart', THIRTY_DAYS),
        did('order paid', { ...THIRTY_DAYS, negation: true }),
      ),
    },
    {
      name: 'Regulars',
      description: 'Ordered at least three times in the last three months',
      filters: all(
        did('order paid', {
          value: 'performed_event_multiple',
          operator: 'gte',
          operator_value: 3,
          time_value: 3,
          time_interval: 'month',
        }),
      ),
    },
    {
      name: 'Met the slow product pages',
      description: 'In the shop during the incident of Storefront Web',
      distinct_ids: visitorsOf(slowPagesOf(story), events),
    },
  ];
}

/** Returns the period in which product pages were too slow for anyone to buy something. */
export function slowPagesOf({ scenes }: Story): { from: number; to: number } {
  return {
    from: scenes.bad + 11.5 * HOUR_MS,
    to: scenes.bad + 14.7 * HOUR_MS,
  };
}

/** Returns the ids of customers who have events in a period. */
function visitorsOf(
  { from, to }: { from: number; to: number },
  events: readonly CustomerEvent[],
): string[] {
  const ids = events
    .filter(({ timestamp }) => {
      const at = Date.parse(timestamp);
      return at > from && at < to;
    })
    .map(event => event.distinct_id);
  return [...new Set(ids)];
}
