/** A number of events per day. */
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

/** Returns a bar of the lifecycle of those who bought. */
export const lifecycleOf = (more: object) => ({
  kind: 'InsightActorsQuery',
  source: { ...TRENDS, kind: 'LifecycleQuery' },
  ...more,
});

/** Returns a number of the hours in which people bought. */
export const stickinessOf = (more: object) => ({
  kind: 'InsightActorsQuery',
  source: { ...TRENDS, kind: 'StickinessQuery', interval: 'hour' },
  ...more,
});

/** Returns a move between pages. */
export const pathsOf = (pathsFilter: object) => ({
  kind: 'InsightActorsQuery',
  source: {
    kind: 'PathsQuery',
    pathsFilter: { includeEventTypes: ['$pageview'], ...pathsFilter },
    dateRange: { date_from: '-3d' },
  },
});
