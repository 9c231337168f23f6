import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Panel, useUrlFilters } from '@slipway/design-system';
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

/** Lists the saved insights as links. */
export function SavedList({ projectId }: { projectId: string }) {
  const { t } = useTranslationRef(analyticsTranslationRef);
  const insights = useInsights(projectId).data ?? [];
  if (insights.length === 0) {
    return null;
  }
  return (
    <Panel title={t('insight.saved')}>
      <ul className={styles.links}>
        {insights.map(({ id, name, query }) => (
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
    </Panel>
  );
}
