import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { SendFailure } from '@slipway/app-react';
import { DialogForm, OpenDialog } from '@slipway/design-system';
import type { Cohort } from '../api/CohortsApi';
import { analyticsTranslationRef } from '../translation';
import { idsIn } from './cohortForm';
import { useChangeList } from './cohortQueries';
import { IdsField } from './IdsField';

/** A dialog that adds users to a fixed list, by their ids. */
export function AddUsersDialog(props: {
  projectId: string;
  cohort: Cohort;
  onClose(): void;
}) {
  const { projectId, cohort, onClose } = props;
  const { t } = useTranslationRef(analyticsTranslationRef);
  const [ids, setIds] = useState('');
  const [isChecked, setIsChecked] = useState(false);
  const { mutate, error, isPending } = useChangeList(projectId, cohort.id);
  const submit = () => {
    setIsChecked(true);
    const added = idsIn(ids);
    if (added.length > 0) {
      mutate({ add_distinct_ids: added }, { onSuccess: onClose });
    }
  };
  return (
    <OpenDialog
      title={t('cohorts.addUsersTitle', { name: cohort.name })}
      onClose={onClose}
    >
      <DialogForm
        submitLabel={t('cohorts.addUsers')}
        isPending={isPending}
        onSubmit={submit}
      >
        {error && (
          <SendFailure title={t('cohorts.addUsersFailed')} error={error} />
        )}
        <IdsField ids={ids} isChecked={isChecked} onChange={setIds} />
      </DialogForm>
    </OpenDialog>
  );
}
