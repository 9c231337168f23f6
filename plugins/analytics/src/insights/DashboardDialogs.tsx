import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button, TextField } from '@backstage/ui';
import { SendFailure } from '@slipway/app-react';
import { ConfirmDialog, DialogForm, OpenDialog } from '@slipway/design-system';
import type { Dashboard } from '../api/InsightQuery';
import { useDeleteDashboard, useSaveDashboard } from '../insightQueries';
import { analyticsTranslationRef } from '../translation';

const NAME_LENGTH = 200;

/** Creates a dashboard under a name, or renames one. */
export function DashboardNameDialog(props: {
  projectId: string;
  /** The dashboard to rename. */
  over?: Dashboard;
  onSaved?(id: string): void;
  onClose(): void;
}) {
  const { t } = useTranslationRef(analyticsTranslationRef);
  const { projectId, over, onSaved, onClose } = props;
  const [name, setName] = useState(over?.name ?? '');
  const [isChecked, setIsChecked] = useState(false);
  const save = useSaveDashboard(projectId);
  const isMissing = isChecked && name.trim() === '';
  const title = over ? t('dashboard.rename') : t('dashboard.create');
  return (
    <OpenDialog title={title} onClose={onClose}>
      <DialogForm
        submitLabel={title}
        isPending={save.isPending}
        onSubmit={() => {
          setIsChecked(true);
          if (name.trim() !== '') {
            save.mutate(
              { over, dashboard: { name, tiles: over?.tiles ?? [] } },
              {
                onSuccess({ id }) {
                  onSaved?.(id);
                  onClose();
                },
              },
            );
          }
        }}
      >
        {save.error && (
          <SendFailure title={t('dashboard.saveFailed')} error={save.error} />
        )}
        <TextField
          label={t('settings.name')}
          value={name}
          onChange={setName}
          maxLength={NAME_LENGTH}
          isInvalid={isMissing}
          {...(isMissing && { description: t('settings.nameMissing') })}
        />
      </DialogForm>
    </OpenDialog>
  );
}

/** Deletes a dashboard after a confirmation. */
export function DeleteDashboard(props: {
  projectId: string;
  dashboard: Dashboard;
}) {
  const { t } = useTranslationRef(analyticsTranslationRef);
  const { projectId, dashboard } = props;
  const remove = useDeleteDashboard(projectId);
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button size="small" variant="tertiary" onPress={() => setIsOpen(true)}>
        {t('dashboard.delete')}
      </Button>
      <ConfirmDialog
        isOpen={isOpen}
        onOpenChange={setIsOpen}
        title={t('insight.deleteTitle', { name: dashboard.name })}
        confirmLabel={t('dashboard.delete')}
        onConfirm={() => remove.mutateAsync(dashboard)}
      >
        {t('dashboard.deleteText')}
      </ConfirmDialog>
    </>
  );
}
