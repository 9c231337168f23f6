/** A query for the number of events per day. */
export const TRENDS = {
  kind: 'TrendsQuery',
  series: [{ kind: 'EventsNode', event: 'bought' }],
  dateRange: { date_from: '-3d' },
};
export const FUNNEL = {
  kind: 'FunnelsQuery',
  series: ['opened', 'bought'].map(event => ({ kind: 'EventsNode', event })),
  dateRange: { date_from: '-3d' },
};
/** Asks for the users behind the point of 20 November. */
export const ON_FRIDAY = {
  kind: 'InsightActorsQuery',
  source: TRENDS,
  series: 0,
  day: '2026-11-20',
};

/** Returns a source that selects a bar of the lifecycle of buyers. */
export const lifecycleOf = (more: object) => ({
  kind: 'InsightActorsQuery',
  source: { ...TRENDS, kind: 'LifecycleQuery' },
  ...more,
});

/** Returns a source that selects a number of the hours in which people bought something. */
export const stickinessOf = (more: object) => ({
  kind: 'InsightActorsQuery',
  source: { ...TRENDS, kind: 'StickinessQuery', interval: 'hour' },
  ...more,
});

/** Returns a source that selects a move between pages. */
export const pathsOf = (pathsFilter: object) => ({
  kind: 'InsightActorsQuery',
  source: {
    kind: 'PathsQuery',
    pathsFilter: { includeEventTypes: ['$pageview'], ...pathsFilter },
    dateRange: { date_from: '-3d' },
  },
});
