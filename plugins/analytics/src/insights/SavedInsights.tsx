import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { FilterBar, Panel, useUrlFilters } from '@slipway/design-system';
import { Link } from 'react-router-dom';
import type { SavedInsight } from '../api/InsightQuery';
import { useInsights } from '../insightQueries';
import { analyticsTranslationRef } from '../translation';
import { addressOf } from './savedQuery';
import styles from '../analytics.module.css';

/** Returns the saved insight that the URL identifies, and whether it is being loaded. */
export function useOpened(projectId: string | undefined): {
  opened: SavedInsight | undefined;
  isOpening: boolean;
} {
  const { values } = useUrlFilters({ insight: '' });
  const { data, isPending } = useInsights(projectId);
  return {
    opened: data?.find(({ id }) => id === values.insight),
    isOpening: values.insight !== '' && isPending,
  };
}

/** Maximum number of saved insights that are listed without a search field. */
const FEW = 5;

/** Lists the saved insights as links; a long list can be searched by name. */
export function SavedList({ projectId }: { projectId: string }) {
  const { t } = useTranslationRef(analyticsTranslationRef);
  const insights = useInsights(projectId).data ?? [];
  const [search, setSearch] = useState('');
  const isLong = insights.length > FEW;
  // Once the search field is gone, its text must not hide insights: users could not clear it.
  const text = isLong ? search.trim().toLowerCase() : '';
  const shown = insights.filter(({ name }) =>
    name.toLowerCase().includes(text),
  );
  if (insights.length === 0) {
    return null;
  }
  return (
    <Panel title={t('insight.saved')}>
      <div className={styles.stack}>
        {isLong && (
          <FilterBar
            filters={{
              values: { search },
              set: (_, value) => setSearch(value),
              clear: () => setSearch(''),
              isActive: search !== '',
            }}
            search={{ key: 'search', label: t('insight.searchSaved') }}
            count={{
              shown: shown.length,
              total: insights.length,
              noun: [t('insight.nounOne'), t('insight.nounMany')],
            }}
          />
        )}
        {shown.length === 0 && (
          <p className={styles.text}>{t('insight.noneSaved')}</p>
        )}
        <ul className={styles.links}>
          {shown.map(({ id, name, query }) => (
            <li key={id}>
              <Link
                to={addressOf(query, {
                  project: projectId,
                  insight: id,
                })}
              >
                {name}
              </Link>
              <span className={styles.quiet}>
                {t(`insight.kinds.${query.kind as 'TrendsQuery'}`)}
              </span>
            </li>
          ))}
        </ul>
      </div>
    </Panel>
  );
}
