import type {
  Dashboard,
  InsightQuery,
  SavedInsight,
} from '../api/InsightQuery';
import type {
  Annotation,
  InsightsApi,
  NewAnnotation,
  NewDashboard,
  NewInsight,
  Versioned,
} from '../api/InsightsApi';

const about = {
  version: 1,
  created_by: 'user:default/ada',
  updated_at: '2026-11-21T10:00:00.000Z',
  may_change: true,
};

const DAYS = Array.from(
  { length: 14 },
  (_, index) => `2026-11-${String(8 + index).padStart(2, '0')}`,
);

const lineOf = (label: string, factor = 1) => {
  const data = DAYS.map((_, index) => factor * (20 + ((index * 7) % 11) * 3));
  return {
    label,
    data,
    count: data.reduce((sum, number) => sum + number, 0),
    days: DAYS,
    labels: DAYS.map(day => `${Number(day.slice(8))}-Nov-2026`),
  };
};

/** Returns a line for each cohort of a breakdown; undefined for other breakdowns. */
const cohortLines = ({
  breakdown_type: type,
  breakdown = [],
}: Breakdown = {}) =>
  type === 'cohort'
    ? [breakdown].flat().map(value => ({
        ...lineOf(typeof value === 'number' ? `Cohort ${value}` : 'All users'),
        breakdown_value: value,
        action: { order: 0 },
      }))
    : undefined;
type Breakdown = NonNullable<InsightQuery['breakdownFilter']>;

const ANSWERS: Readonly<Record<string, (query: InsightQuery) => unknown[]>> = {
  TrendsQuery: ({
    series = [],
    breakdownFilter,
    compareFilter,
    trendsFilter,
  }) =>
    cohortLines(breakdownFilter) ??
    (breakdownFilter
      ? ['pro', '$$_posthog_breakdown_null_$$']
      : series.map(({ event }) => event ?? 'All events')
    ).flatMap(label =>
      compareFilter
        ? ['current', 'previous'].map(period => ({
            ...lineOf(label),
            compare_label: period,
          }))
        : [
            trendsFilter?.display === 'BoldNumber'
              ? { ...lineOf(label), data: [], aggregated_value: 1_234 }
              : lineOf(label),
          ],
    ),
  StickinessQuery: ({ series = [] }) =>
    series.map(({ event }, order) => ({
      ...lineOf(event ?? 'All events'),
      days: DAYS.map((_, index) => index + 1),
      labels: DAYS.map((_, index) => `${index + 1} day${index ? 's' : ''}`),
      action: { order },
    })),
  LifecycleQuery: () => [
    { ...lineOf('All events - new'), status: 'new' },
    lineOf('All events - returning', 2),
    lineOf('All events - resurrecting'),
    { ...lineOf('All events - dormant', -1), status: 'dormant' },
  ],
  FunnelsQuery: ({ series = [], funnelsFilter, breakdownFilter }) => {
    if (funnelsFilter?.funnelVizType === 'trends') {
      const { label: _label, ...line } = lineOf('conversion');
      return breakdownFilter
        ? ['pro', ''].map(value => ({ ...line, breakdown_value: [value] }))
        : [line];
    }
    if (funnelsFilter?.funnelVizType === 'time_to_convert') {
      const bins = [4, 9, 3, 1].map((people, index) => [60 * index, people]);
      return [{ average_conversion_time: 84, bins }];
    }
    const steps = series.map(({ event }, order) => ({
      name: event ?? 'All events',
      order,
      count: Math.round(900 / (order + 1) ** 1.5),
      median_conversion_time: order === 0 ? null : 85 * order,
    }));
    return (
      cohortLines(breakdownFilter)?.map(({ label, breakdown_value }) =>
        steps.map(step => ({ ...step, breakdown: label, breakdown_value })),
      ) ?? steps
    );
  },
  RetentionQuery: ({ breakdownFilter }) =>
    (
      cohortLines(breakdownFilter)?.map(line => String(line.breakdown_value)) ??
      (breakdownFilter ? ['pro', '$$_posthog_breakdown_null_$$'] : [undefined])
    ).flatMap(value =>
      DAYS.slice(0, 8).map((date, row) => ({
        date: `${date}T00:00:00.000Z`,
        label: `Day ${row}`,
        values: Array.from({ length: 8 - row }, (_, later) => ({
          count: Math.round(300 / (later + 1)),
          label: `Day ${later}`,
        })),
        ...(value !== undefined && { breakdown_value: value }),
      })),
    ),
  PathsQuery: () => [
    edge('1_/', '2_/pricing', 210),
    edge('1_/', '2_/blog/hello-world', 90),
    edge('2_/pricing', '3_signed up', 70),
  ],
  WebOverviewQuery: () => [
    metric('visitors', 'unit', 1_248, 12),
    metric('views', 'unit', 4_102, -3),
    metric('sessions', 'unit', 1_530, 9),
    metric('session duration', 'duration_s', 153, 4),
    metric('bounce rate', 'percentage', 41.2, 6),
  ],
};

function edge(source: string, target: string, value: number) {
  return { source, target, value, average_conversion_time: value * 400 };
}

function metric(key: string, kind: string, value: number, change: number) {
  return {
    key,
    kind,
    value,
    changeFromPreviousPct: change,
    isIncreaseBad: key === 'bounce rate',
  };
}

/** Implements {@link InsightsApi} with data that a test sets. */
export class FakeInsightsApi implements InsightsApi {
  insights: SavedInsight[] = [];
  dashboards: Dashboard[] = [];
  /** All received queries. */
  readonly asked: InsightQuery[] = [];
  failure: Error | undefined;

  async ask(_projectId: string, query: InsightQuery): Promise<unknown[]> {
    this.asked.push(query);
    if (this.failure) {
      throw this.failure;
    }
    return ANSWERS[query.kind]?.(query) ?? [];
  }

  async getInsights(): Promise<SavedInsight[]> {
    return this.insights;
  }

  async createInsight(
    _projectId: string,
    insight: NewInsight,
  ): Promise<SavedInsight> {
    const made = { ...about, ...insight, id: `i${this.insights.length + 1}` };
    this.insights = [...this.insights, made];
    return made;
  }

  async changeInsight(
    _projectId: string,
    { id, version }: Versioned,
    insight: NewInsight,
  ): Promise<SavedInsight> {
    const changed = { ...about, ...insight, id, version: version + 1 };
    this.insights = this.insights.map(each =>
      each.id === id ? changed : each,
    );
    return changed;
  }

  async deleteInsight(_projectId: string, { id }: Versioned): Promise<void> {
    this.insights = this.insights.filter(each => each.id !== id);
  }

  async getDashboards(): Promise<Dashboard[]> {
    return this.dashboards;
  }

  async createDashboard(
    _projectId: string,
    dashboard: NewDashboard,
  ): Promise<Dashboard> {
    const made = {
      ...about,
      ...dashboard,
      id: `d${this.dashboards.length + 1}`,
    };
    this.dashboards = [...this.dashboards, made];
    return made;
  }

  async changeDashboard(
    _projectId: string,
    { id, version }: Versioned,
    dashboard: NewDashboard,
  ): Promise<Dashboard> {
    const changed = { ...about, ...dashboard, id, version: version + 1 };
    this.dashboards = this.dashboards.map(each =>
      each.id === id ? changed : each,
    );
    return changed;
  }

  annotations: Annotation[] = [];

  async getAnnotations(): Promise<Annotation[]> {
    return this.annotations;
  }

  async createAnnotation(
    _projectId: string,
    annotation: NewAnnotation,
  ): Promise<void> {
    const id = this.annotations.length + 1;
    this.annotations = [
      { ...annotation, id, created_by: 'user:default/ada', may_change: true },
      ...this.annotations,
    ];
  }

  async deleteAnnotation(_projectId: string, id: number): Promise<void> {
    this.annotations = this.annotations.filter(each => each.id !== id);
  }

  async deleteDashboard(_projectId: string, { id }: Versioned): Promise<void> {
    this.dashboards = this.dashboards.filter(each => each.id !== id);
  }
}
