import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button } from '@backstage/ui';
import { ConfirmDialog, Panel, useUrlFilters } from '@slipway/design-system';
import { Link } from 'react-router-dom';
import type { SavedInsight } from '../api/InsightQuery';
import { useDeleteInsight, useInsights } from '../insightQueries';
import { analyticsTranslationRef } from '../translation';
import { addressOf } from './savedQuery';
import styles from '../analytics.module.css';

/** Returns the saved insight that the URL names, and whether it is being loaded. */
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

/** Deletes a saved insight after a confirmation. */
export function DeleteInsight(props: {
  projectId: string;
  insight: SavedInsight;
  onDeleted(): void;
}) {
  const { t } = useTranslationRef(analyticsTranslationRef);
  const { projectId, insight, onDeleted } = props;
  const remove = useDeleteInsight(projectId);
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button size="small" variant="tertiary" onPress={() => setIsOpen(true)}>
        {t('insight.delete')}
      </Button>
      <ConfirmDialog
        isOpen={isOpen}
        onOpenChange={setIsOpen}
        title={t('insight.deleteTitle', { name: insight.name })}
        confirmLabel={t('insight.delete')}
        onConfirm={async () => {
          await remove.mutateAsync(insight);
          onDeleted();
        }}
      >
        {t('insight.deleteText')}
      </ConfirmDialog>
    </>
  );
}
