import { useMemo } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import {
  Cell,
  Column,
  Link,
  Row,
  TableBody,
  TableHeader,
  TableRoot,
} from '@backstage/ui';
import { ReadFailure } from '@slipway/app-react';
import { LoadingRows, Panel, useUrlFilters } from '@slipway/design-system';
import type {
  BreakdownResponse,
  DoraMetricName,
  ScopeComparison,
} from '@slipway/plugin-delivery-lake-common';
import { LevelBadge } from '../../components/metrics/LevelBadge';
import type { Scope } from '../../data/scope';
import { useDeliveryLinks } from '../../data/useDeliveryLinks';
import { useBreakdown } from '../../data/useLake';
import type { View } from '../../data/useView';
import { formatMetric } from '../../format/metricValue';
import { deliveryLakeTranslationRef } from '../../translation';
import styles from './Overview.module.css';
import {
  BREAKDOWN_COLUMNS,
  type BreakdownColumn,
  formatOrder,
  parseOrder,
  sortBreakdown,
} from './sortBreakdown';

/** The kind of part that a scope divides into; a service has none. */
function partsOf(
  scope: Scope | undefined,
): BreakdownResponse['by'] | undefined {
  if (!scope) {
    return 'team';
  }
  return scope.kind === 'service' ? undefined : 'service';
}

/** The parts of the scope side by side, each a way into it. */
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
        <div className={styles.padded}>
          <ReadFailure
            title={t('breakdown.failed')}
            error={error}
            onRetry={() => refetch()}
          />
        </div>
      )}
      {data?.items.length === 0 && (
        <p className={styles.quiet}>{t('breakdown.empty')}</p>
      )}
      {data && data.items.length > 0 && (
        <BreakdownTable data={data} view={view} />
      )}
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
  const links = useDeliveryLinks();
  const sorting = useUrlFilters({ sort: '' });
  const { sort } = sorting.values;
  const rows = useMemo(
    () => sortBreakdown(data.items, parseOrder(sort)),
    [data, sort],
  );
  const hrefOf = ({ name }: ScopeComparison) =>
    links.overview({
      scope: { kind: data.by, name },
      period: view.periodText,
    });
  const columns = BREAKDOWN_COLUMNS.map(id => ({ id }));
  return (
    <div className={styles.table}>
      <TableRoot
        aria-label={t(`breakdown.${data.by}`)}
        sortDescriptor={parseOrder(sort)}
        onSortChange={({ column, direction }) => {
          const next = BREAKDOWN_COLUMNS.find(known => known === column);
          if (next) {
            sorting.set('sort', formatOrder({ column: next, direction }));
          }
        }}
      >
        <TableHeader columns={columns}>
          {({ id }) => (
            <Column
              id={id}
              isRowHeader={id === 'name'}
              allowsSorting
              className={id === 'name' ? styles.name : styles.number}
            >
              {id === 'name' ? t('breakdown.name') : t(`metricShort.${id}`)}
            </Column>
          )}
        </TableHeader>
        <TableBody items={rows} dependencies={[t, hrefOf]}>
          {item => (
            <Row id={item.name} columns={columns} href={hrefOf(item)}>
              {({ id }: { id: BreakdownColumn }) =>
                id === 'name' ? (
                  <Cell textValue={item.title}>
                    <span className={styles.clipped}>
                      <Link href={hrefOf(item)}>{item.title}</Link>
                    </span>
                  </Cell>
                ) : (
                  <MetricCell name={id} item={item} />
                )
              }
            </Row>
          )}
        </TableBody>
      </TableRoot>
    </div>
  );
}

function MetricCell(props: { name: DoraMetricName; item: ScopeComparison }) {
  const { name, item } = props;
  const { t } = useTranslationRef(deliveryLakeTranslationRef);
  const { value, samples, performance } = item.metrics[name];
  const words = formatMetric(t, name, samples === 0 ? null : value);
  return (
    <Cell textValue={words} className={styles.number}>
      {samples === 0 ? (
        <span className={styles.none}>{words}</span>
      ) : (
        <span className={styles.value}>
          <span>{words}</span>
          <LevelBadge level={performance} />
        </span>
      )}
    </Cell>
  );
}
