import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Panel, Tile } from '@slipway/design-system';
import { SENTIMENTS, type Statistics, STATUSES } from '../../api/types';
import { feedbackTranslationRef } from '../../translation';
import { Bars } from './Bars';
import styles from './Statistics.module.css';

/** Tiles for the whole, bars for the parts. */
export function Numbers({ statistics }: { statistics: Statistics }) {
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
            isEmpty
              ? t('statistics.none')
              : `${Math.round(responseRate * 100)}%`
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
            }))}
          />
        </Panel>
        <Panel title={t('statistics.byCategory')}>
          <Bars
            bars={Object.entries(statistics.byCategory).map(
              ([label, count]) => ({ label, count }),
            )}
          />
        </Panel>
        <Panel title={t('statistics.byStatus')}>
          <Bars
            bars={STATUSES.map(status => ({
              label: t(`status.${status}`),
              count: statistics.byStatus[status],
            }))}
          />
        </Panel>
        <Panel title={t('statistics.bySentiment')}>
          <Bars
            bars={SENTIMENTS.map(sentiment => ({
              label: t(`sentiment.${sentiment}`),
              count: statistics.bySentiment[sentiment],
            }))}
          />
        </Panel>
      </div>
    </div>
  );
}
