import { useTranslationRef } from '@backstage/frontend-plugin-api';
import type { ChartMark } from '@slipway/app-react';
import { EmptyState } from '@slipway/design-system';
import type {
  FunnelStep,
  FunnelTimes,
  InsightQuery,
  PathEdge,
  RetentionRow,
  TrendLine,
  WebMetric,
} from '../api/InsightQuery';
import { analyticsTranslationRef } from '../translation';
import { WebMetrics } from '../web/WebMetrics';
import { ConversionChart } from './ConversionChart';
import { ConversionTimes } from './ConversionTimes';
import { FunnelChart } from './FunnelChart';
import { PathTable } from './PathTable';
import { RetentionTables } from './RetentionTable';
import { hasPeople, type PeopleLink } from './selection';
import { TrendCharts } from './TrendCharts';
import styles from '../analytics.module.css';

/** Shows the result of an insight as the chart of its kind, and as a table. */
export function InsightResult(props: {
  query: InsightQuery;
  results: readonly unknown[];
  /** The annotations, deployments and flag changes, in the local time of the buckets. */
  marks?: readonly ChartMark<string>[];
  /** Links numbers to the people behind them; undefined if people are not shown. */
  peopleLink?: PeopleLink;
}) {
  const { t } = useTranslationRef(analyticsTranslationRef);
  const { query, results, marks } = props;
  const peopleLink = hasPeople(query) ? props.peopleLink : undefined;
  if (isEmpty(query, results)) {
    return (
      <EmptyState
        title={t('query.emptyTitle')}
        description={t('query.emptyDescription')}
      />
    );
  }
  switch (query.kind) {
    case 'FunnelsQuery':
      return <FunnelResult {...{ query, results, marks, peopleLink }} />;
    case 'RetentionQuery':
      return (
        <RetentionTables
          rows={results as RetentionRow[]}
          query={query}
          peopleLink={peopleLink}
        />
      );
    case 'PathsQuery':
      return (
        <PathTable edges={results as PathEdge[]} peopleLink={peopleLink} />
      );
    case 'WebOverviewQuery':
      return <WebMetrics metrics={results as WebMetric[]} />;
    case 'LifecycleQuery':
      return (
        <TrendCharts
          lines={(results as TrendLine[]).map(line => ({
            ...line,
            label: line.status
              ? t(`insight.lifecycle.${line.status}`)
              : line.label,
          }))}
          marks={marks}
          query={query}
          peopleLink={peopleLink}
        />
      );
    default:
      return (
        <TrendCharts
          lines={results as TrendLine[]}
          marks={marks}
          query={query}
          peopleLink={peopleLink}
        />
      );
  }
}

function FunnelResult(props: {
  query: InsightQuery;
  results: readonly unknown[];
  marks?: readonly ChartMark<string>[];
  peopleLink?: PeopleLink;
}) {
  const { query, results, marks, peopleLink } = props;
  switch (query.funnelsFilter?.funnelVizType) {
    case 'trends':
      return (
        <div className={styles.charts} data-many={results.length > 1}>
          {(results as TrendLine[]).map((line, index) => (
            <ConversionChart
              // Cohorts may have the same name.
              key={`${index} ${JSON.stringify(line.breakdown_value)}`}
              query={query}
              line={line}
              marks={marks}
            />
          ))}
        </div>
      );
    case 'time_to_convert':
      return <ConversionTimes times={results[0] as FunnelTimes} />;
    default:
      return (
        <FunnelChart
          results={results as FunnelStep[] | FunnelStep[][]}
          peopleLink={peopleLink}
        />
      );
  }
}

function isEmpty(query: InsightQuery, results: readonly unknown[]): boolean {
  switch (query.kind) {
    case 'FunnelsQuery':
      return isEmptyFunnel(query, results);
    case 'RetentionQuery':
      return (results as RetentionRow[]).every(({ values }) =>
        values.every(({ count }) => count === 0),
      );
    case 'PathsQuery':
    case 'WebOverviewQuery':
      return results.length === 0;
    default:
      return (results as TrendLine[]).every(
        ({ data, aggregated_value: whole = 0 }) =>
          whole === 0 && data.every(number => number === 0),
      );
  }
}

function isEmptyFunnel(
  { funnelsFilter }: InsightQuery,
  results: readonly unknown[],
): boolean {
  switch (funnelsFilter?.funnelVizType) {
    case 'trends':
      // 0% may mean that people started the funnel but nobody completed it, so it is not an
      // empty result.
      return results.length === 0;
    case 'time_to_convert':
      return (results[0] as FunnelTimes).bins.length === 0;
    default:
      return (results.flat() as FunnelStep[]).every(({ count }) => count === 0);
  }
}
