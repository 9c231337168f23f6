import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button } from '@backstage/ui';
import { useErrorWords } from '@slipway/app-react';
import { ConfirmDialog } from '@slipway/design-system';
import type { Dashboard, SavedInsight } from '../api/InsightQuery';
import { useDeleteDashboard, useDeleteInsight } from '../insightQueries';
import { analyticsTranslationRef } from '../translation';

/** Deletes a saved insight after confirmation. */
export function DeleteInsight(props: {
  projectId: string;
  insight: SavedInsight;
  onDeleted(): void;
}) {
  const { t } = useTranslationRef(analyticsTranslationRef);
  const { projectId, insight, onDeleted } = props;
  const remove = useDeleteInsight(projectId);
  return (
    <DeleteSaved
      name={insight.name}
      label={t('insight.delete')}
      text={t('insight.deleteText')}
      onConfirm={async () => {
        await remove.mutateAsync(insight);
        onDeleted();
      }}
    />
  );
}

/** Deletes a dashboard after confirmation. */
export function DeleteDashboard(props: {
  projectId: string;
  dashboard: Dashboard;
}) {
  const { t } = useTranslationRef(analyticsTranslationRef);
  const { projectId, dashboard } = props;
  const remove = useDeleteDashboard(projectId);
  return (
    <DeleteSaved
      name={dashboard.name}
      label={t('dashboard.delete')}
      text={t('dashboard.deleteText')}
      onConfirm={() => remove.mutateAsync(dashboard)}
    />
  );
}

function DeleteSaved(props: {
  name: string;
  label: string;
  /** Explains what will be lost. */
  text: string;
  onConfirm(): Promise<void>;
}) {
  const { t } = useTranslationRef(analyticsTranslationRef);
  const { name, label, text, onConfirm } = props;
  const errorWords = useErrorWords();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button size="small" variant="tertiary" onPress={() => setIsOpen(true)}>
        {label}
      </Button>
      <ConfirmDialog
        isOpen={isOpen}
        onOpenChange={setIsOpen}
        title={t('insight.deleteTitle', { name })}
        confirmLabel={label}
        describeError={errorWords}
        onConfirm={onConfirm}
      >
        {text}
      </ConfirmDialog>
    </>
  );
}
