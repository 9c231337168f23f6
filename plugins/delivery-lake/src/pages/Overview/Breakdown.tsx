import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Link } from '@backstage/ui';
import { ReadFailure } from '@slipway/app-react';
import {
  type DataColumn,
  DataTable,
  LoadingRows,
  Panel,
  type SortOrder,
  useUrlSort,
} from '@slipway/design-system';
import {
  type BreakdownResponse,
  DORA_METRICS,
  type ScopeComparison,
} from '@slipway/plugin-delivery-lake-common';
import { LevelBadge } from '../../components/MetricTiles';
import { formatMetric } from '../../format/metricValue';
import { useBreakdown, type View } from '../../queries';
import { useLinks } from '../../routes';
import type { Scope } from '../../scope';
import { deliveryLakeTranslationRef, type Translate } from '../../translation';
import styles from './Overview.module.css';

/** The default order. */
export const BY_NAME: SortOrder = { column: 'name', direction: 'ascending' };

/** The sort keys of the comparison; parts without data have no value. */
export const SORT_BY = [
  { id: 'name', sortBy: ({ title }: ScopeComparison) => title },
  ...DORA_METRICS.map(id => ({
    id,
    sortBy: ({ metrics }: ScopeComparison) =>
      metrics[id].samples > 0 ? metrics[id].value : null,
  })),
];

/** Returns the kind of part that a scope divides into; a service has none. */
function partsOf(
  scope: Scope | undefined,
): BreakdownResponse['by'] | undefined {
  if (!scope) {
    return 'team';
  }
  return scope.kind === 'service' ? undefined : 'service';
}

/** Compares the parts of the scope; each one links to itself as a scope. */
export function Breakdown({ view }: { view: View }) {
  const { t } = useTranslationRef(deliveryLakeTranslationRef);
  const by = partsOf(view.scope);
  const { data, error, isLoading, refetch } = useBreakdown(view.query, by);
  if (!by) {
    return null;
  }
  return (
    <Panel title={t(`breakdown.${by}`)} padded={false}>
      {isLoading && <LoadingRows label={t('breakdown.loading')} rows={4} />}
      {error && (
        <ReadFailure
          title={t('breakdown.failed')}
          error={error}
          onRetry={() => refetch()}
        />
      )}
      {data && <BreakdownTable data={data} view={view} />}
      {data?.truncated && (
        <p className={styles.quiet}>
          {t('breakdown.truncated', { shown: String(data.items.length) })}
        </p>
      )}
    </Panel>
  );
}

function BreakdownTable(props: { data: BreakdownResponse; view: View }) {
  const { data, view } = props;
  const { t } = useTranslationRef(deliveryLakeTranslationRef);
  const links = useLinks();
  const sort = useUrlSort(
    SORT_BY.map(({ id }) => id),
    BY_NAME,
  );
  const hrefOf = ({ name }: ScopeComparison) =>
    links.overview({
      scope: { kind: data.by, name },
      period: view.periodText,
    });
  return (
    <div className={styles.table}>
      <DataTable
        isPlain
        label={t(`breakdown.${data.by}`)}
        // Rows with equal values are sorted by name.
        rows={[...data.items].sort((a, b) => a.title.localeCompare(b.title))}
        rowId={({ name }) => name}
        hrefOf={hrefOf}
        sort={sort}
        columns={columnsOf(t, hrefOf)}
        empty={<p className={styles.quiet}>{t('breakdown.empty')}</p>}
      />
    </div>
  );
}

function columnsOf(
  t: Translate,
  hrefOf: (item: ScopeComparison) => string,
): DataColumn<ScopeComparison>[] {
  const [byName, ...byMetric] = SORT_BY;
  return [
    {
      ...byName,
      label: t('breakdown.name'),
      width: '22%',
      text: ({ title }) => title,
      cell: item => (
        <span className={styles.clipped}>
          <Link href={hrefOf(item)}>{item.title}</Link>
        </span>
      ),
    },
    ...DORA_METRICS.map((name, index) => ({
      ...byMetric[index],
      label: t(`metricShort.${name}`),
      isNumber: true,
      cell: ({ metrics }: ScopeComparison) => {
        const { value, samples, performance } = metrics[name];
        const words = formatMetric(t, name, samples === 0 ? null : value);
        return samples === 0 ? (
          <span className={styles.none}>{words}</span>
        ) : (
          <span className={styles.value}>
            <span>{words}</span>
            <LevelBadge level={performance} />
          </span>
        );
      },
    })),
  ];
}
