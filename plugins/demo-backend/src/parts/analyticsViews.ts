import type { Story } from '../story/Story';
import { iso } from '../story/time';

/** An insight to save: a named query of events. */
interface Insight {
  readonly name: string;
  readonly query: object;
}

/** A dashboard with the names of its insights, in order. */
interface Dashboard {
  readonly name: string;
  readonly insights: readonly string[];
}

/** The steps from the first page to the order. */
const STEPS = [
  '$pageview',
  'product viewed',
  'added to cart',
  'checkout started',
  'order paid',
];

const counted = (event: string, more: object = {}) => ({
  kind: 'EventsNode',
  event,
  ...more,
});

const trend = (options: {
  series: readonly object[];
  interval: 'day' | 'week';
  from: string;
  formula?: string;
}) => ({
  kind: 'TrendsQuery',
  series: options.series,
  interval: options.interval,
  dateRange: { date_from: options.from },
  ...(options.formula && { trendsFilter: { formula: options.formula } }),
});

const table = (query: string) => ({ kind: 'HogQLQuery', query });

/** The insights of the shop. The queries are those that the page of insights builds. */
export const INSIGHTS: readonly Insight[] = [
  {
    name: 'From the first page to the order',
    query: {
      kind: 'FunnelsQuery',
      series: STEPS.map(step => counted(step)),
      dateRange: { date_from: '-30d' },
      funnelsFilter: {
        funnelOrderType: 'ordered',
        funnelWindowInterval: 14,
        funnelWindowIntervalUnit: 'day',
      },
    },
  },
  {
    name: 'Orders per day',
    query: trend({
      series: [counted('order paid')],
      interval: 'day',
      from: '-90d',
    }),
  },
  {
    name: 'Revenue per week',
    query: trend({
      series: [counted('order paid', { math: 'sum', math_property: 'price' })],
      interval: 'week',
      from: '-90d',
    }),
  },
  {
    name: 'Orders per 100 product views',
    query: trend({
      series: [counted('order paid'), counted('product viewed')],
      interval: 'week',
      from: '-90d',
      formula: 'A / B * 100',
    }),
  },
  {
    name: 'Best sellers of 30 days',
    query: table(
      `SELECT properties.product AS product, count() AS orders, sum(properties.price) AS revenue
FROM events
WHERE event = 'order paid' AND timestamp > now() - INTERVAL 30 DAY
GROUP BY product ORDER BY orders DESC`,
    ),
  },
  {
    name: 'Customers per week',
    query: trend({
      series: [counted('$pageview', { math: 'dau' })],
      interval: 'week',
      from: '-90d',
    }),
  },
  {
    name: 'Customers who come back',
    query: {
      kind: 'RetentionQuery',
      dateRange: { date_from: '-30d' },
      retentionFilter: {
        period: 'Week',
        totalIntervals: 8,
        targetEntity: { id: '$pageview' },
        returningEntity: { id: '$pageview' },
      },
    },
  },
  {
    name: 'New, returning and lost customers',
    query: {
      kind: 'LifecycleQuery',
      series: [counted('$pageview')],
      interval: 'week',
      dateRange: { date_from: '-90d' },
    },
  },
  {
    name: 'Where visits came from in 30 days',
    query: table(
      `SELECT properties.$referring_domain AS source, count() AS visits, count(DISTINCT distinct_id) AS customers
FROM events
WHERE event = '$pageview' AND timestamp > now() - INTERVAL 30 DAY
GROUP BY source ORDER BY visits DESC`,
    ),
  },
];

/** The dashboards of the shop: its sales and its users. */
export const DASHBOARDS: readonly Dashboard[] = [
  {
    name: 'Orders',
    insights: [
      'Orders per day',
      'Revenue per week',
      'From the first page to the order',
      'Best sellers of 30 days',
      'Orders per 100 product views',
    ],
  },
  {
    name: 'Customers',
    insights: [
      'Customers per week',
      'Where visits came from in 30 days',
      'Customers who come back',
      'New, returning and lost customers',
    ],
  },
];

/** Returns annotations of the incidents that customers noticed, for the charts. */
export function annotationsOf({ histories, scenes }: Story): object[] {
  const noticed = [
    { service: 'storefront-web', from: scenes.bad },
    { service: 'checkout-api', from: scenes.saved },
  ];
  return noticed.flatMap(({ service: name, from }) => {
    const history = histories.find(({ service }) => service.name === name);
    const incident = history?.incidents.find(
      ({ startedAt }) => startedAt >= from,
    );
    return incident
      ? [{ content: incident.title, date_marker: iso(incident.startedAt) }]
      : [];
  });
}
