import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Link } from '@backstage/ui';
import { Loaded } from '@slipway/app-react';
import {
  FilterBar,
  formatPercent,
  LoadingBlock,
  Panel,
  PeriodPicker,
  resolvePeriod,
  Tile,
  today,
  useUrlFilters,
} from '@slipway/design-system';
import { SENTIMENTS, type Statistics, STATUSES } from '../api/Feedback';
import { useOptions, useStatistics } from '../queries';
import { useLinks } from '../routes';
import { feedbackTranslationRef } from '../translation';
import styles from './StatisticsPage.module.css';

/** Shows statistics of the feedback of a period. */
export function StatisticsPage() {
  const { t } = useTranslationRef(feedbackTranslationRef);
  const filters = useUrlFilters({ period: '' });
  const period = resolvePeriod(filters.values.period, today());
  const query = useStatistics(period);
  const links = useLinks();
  const { data: options } = useOptions();
  const hrefOf: HrefOf = (key, value) => {
    const shown = filters.isActive ? filters.values : {};
    const search = new URLSearchParams({ [key]: value, ...shown });
    return options?.mayTriage
      ? links.triage(undefined, `?${search}`)
      : undefined;
  };
  return (
    <>
      <FilterBar filters={filters}>
        <PeriodPicker
          value={filters.values.period}
          period={period}
          onChange={value => filters.set('period', value)}
        />
      </FilterBar>
      <Loaded
        query={query}
        failed={t('statistics.failed')}
        loading={<LoadingBlock label={t('statistics.loading')} height={360} />}
      >
        {data => <Numbers statistics={data} hrefOf={hrefOf} />}
      </Loaded>
    </>
  );
}

/**
 * Returns the URL of the entries with a value in the same period; undefined for users who may not read
 * them.
 */
type HrefOf = (
  key: 'rating' | 'category' | 'status' | 'sentiment',
  value: string,
) => string | undefined;

/** Shows totals as tiles, and counts per value as bars. */
function Numbers(props: { statistics: Statistics; hrefOf: HrefOf }) {
  const { statistics, hrefOf } = props;
  const { t } = useTranslationRef(feedbackTranslationRef);
  const { total, averageRating, responseRate } = statistics;
  const isEmpty = total === 0;
  const rest = t('statistics.rest', { count: total });
  return (
    <div className={styles.numbers}>
      <div className={styles.tiles}>
        <Tile label={t('statistics.total')} value={String(total)} />
        <Tile
          label={t('statistics.average')}
          value={
            isEmpty
              ? t('statistics.none')
              : t('statistics.averageValue', { value: String(averageRating) })
          }
          isEmpty={isEmpty}
          footnote={rest}
        />
        <Tile
          label={t('statistics.response')}
          value={
            isEmpty ? t('statistics.none') : formatPercent(responseRate * 100)
          }
          isEmpty={isEmpty}
          footnote={rest}
          definition={t('statistics.responseDefinition')}
        />
      </div>
      <div className={styles.charts}>
        <Panel title={t('statistics.byRating')}>
          <Bars
            bars={[5, 4, 3, 2, 1].map(rating => ({
              label: t('list.stars', { rating: String(rating) }),
              count: statistics.byRating[rating] ?? 0,
              href: hrefOf('rating', String(rating)),
            }))}
          />
        </Panel>
        <Panel title={t('statistics.byCategory')}>
          <Bars
            bars={Object.entries(statistics.byCategory).map(
              ([label, count]) => ({
                label,
                count,
                href: hrefOf('category', label),
              }),
            )}
          />
        </Panel>
        <Panel title={t('statistics.byStatus')}>
          <Bars
            bars={STATUSES.map(status => ({
              label: t(`status.${status}`),
              count: statistics.byStatus[status],
              href: hrefOf('status', status),
            }))}
          />
        </Panel>
        <Panel title={t('statistics.bySentiment')}>
          <Bars
            bars={SENTIMENTS.map(sentiment => ({
              label: t(`sentiment.${sentiment}`),
              count: statistics.bySentiment[sentiment],
              href: hrefOf('sentiment', sentiment),
            }))}
          />
        </Panel>
      </div>
    </div>
  );
}

/** Shows counts as bars, each with its number and its name, which links to what was counted. */
function Bars(props: {
  bars: readonly { label: string; count: number; href: string | undefined }[];
}) {
  const { bars } = props;
  const most = Math.max(1, ...bars.map(({ count }) => count));
  return (
    <table className={styles.bars}>
      <tbody>
        {bars.map(({ label, count, href }) => (
          <tr key={label}>
            <th scope="row">
              {href && count > 0 ? <Link href={href}>{label}</Link> : label}
            </th>
            <td aria-hidden>
              <span
                className={styles.bar}
                style={{ width: `${(count / most) * 100}%` }}
              />
            </td>
            <td className={styles.count}>{count}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
