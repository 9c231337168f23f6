import { useTranslationRef } from '@backstage/frontend-plugin-api';
import type { ChartMark } from '@slipway/app-react';
import { EmptyState } from '@slipway/design-system';
import type {
  FunnelStep,
  InsightQuery,
  PathEdge,
  RetentionRow,
  TrendLine,
} from '../api/InsightQuery';
import { analyticsTranslationRef } from '../translation';
import { FunnelChart } from './FunnelChart';
import { PathTable } from './PathTable';
import { RetentionTable } from './RetentionTable';
import { TrendCharts } from './TrendCharts';

/** Shows the result of an insight as the chart of its kind, and as a table. */
export function InsightResult(props: {
  query: InsightQuery;
  results: readonly unknown[];
  /** The annotations, deployments and flag changes, in the local time of the buckets. */
  marks?: readonly ChartMark<string>[];
}) {
  const { t } = useTranslationRef(analyticsTranslationRef);
  const { query, results, marks } = props;
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
      return <FunnelChart results={results as FunnelStep[] | FunnelStep[][]} />;
    case 'RetentionQuery':
      return <RetentionTable rows={results as RetentionRow[]} />;
    case 'PathsQuery':
      return <PathTable edges={results as PathEdge[]} />;
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
        />
      );
    default:
      return <TrendCharts lines={results as TrendLine[]} marks={marks} />;
  }
}

function isEmpty({ kind }: InsightQuery, results: readonly unknown[]): boolean {
  switch (kind) {
    case 'FunnelsQuery':
      return (results.flat() as FunnelStep[]).every(({ count }) => count === 0);
    case 'RetentionQuery':
      return (results as RetentionRow[]).every(({ values }) =>
        values.every(({ count }) => count === 0),
      );
    case 'PathsQuery':
      return results.length === 0;
    default:
      return (results as TrendLine[]).every(({ data }) =>
        data.every(number => number === 0),
      );
  }
}
