import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { TextField } from '@backstage/ui';
import { SendFailure } from '@slipway/app-react';
import { DialogForm, OpenDialog } from '@slipway/design-system';
import type { Dashboard } from '../api/InsightQuery';
import { useSaveDashboard } from '../insightQueries';
import { analyticsTranslationRef } from '../translation';

const NAME_LENGTH = 200;

/** A dialog that creates a dashboard under a name, or renames one. */
export function DashboardNameDialog(props: {
  projectId: string;
  /** The dashboard to rename. */
  over?: Dashboard;
  onSaved?(id: string): void;
  onClose(): void;
}) {
  const { t } = useTranslationRef(analyticsTranslationRef);
  const { projectId, onSaved, onClose } = props;
  // The name is edited from this version, even if a newer one is fetched in the meantime.
  const [over] = useState(props.over);
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
