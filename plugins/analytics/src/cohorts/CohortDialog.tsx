import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Radio, RadioGroup, TextField } from '@backstage/ui';
import { SendFailure } from '@slipway/app-react';
import { DialogForm, OpenDialog } from '@slipway/design-system';
import type { Cohort } from '../api/CohortsApi';
import { analyticsTranslationRef } from '../translation';
import { ConditionList } from './ConditionList';
import { cohortOfForm, filtersOfForm, formOf } from './cohortForm';
import { useChangeCohort, useCreateCohort } from './cohortQueries';
import { IdsField } from './IdsField';

const NAME_LENGTH = 200;
const DESCRIPTION_LENGTH = 400;

/** A dialog that creates a cohort from conditions or a list of ids, or changes one. */
export function CohortDialog(props: {
  projectId: string;
  /** The cohort to change. */
  over?: Cohort;
  onSaved(id: number): void;
  onClose(): void;
}) {
  const { projectId, onSaved, onClose } = props;
  const { t } = useTranslationRef(analyticsTranslationRef);
  // The form edits this version, even if a newer one is fetched in the meantime.
  const [over] = useState(props.over);
  const [form, setForm] = useState(() => formOf(over));
  const [isChecked, setIsChecked] = useState(false);
  const create = useCreateCohort(projectId);
  const change = useChangeCohort(projectId);
  const { name, description, isList } = form;
  const isMissing = isChecked && name.trim() === '';
  // Merge into the latest state: the user may type while a file is being read.
  const set = (changes: Partial<typeof form>) =>
    setForm(current => ({ ...current, ...changes }));
  const onSuccess = ({ id }: Cohort) => {
    onSaved(id);
    onClose();
  };
  const submit = () => {
    setIsChecked(true);
    if (over) {
      const filters = isList ? undefined : filtersOfForm(form);
      if (name.trim() !== '' && (isList || filters)) {
        const changes = {
          name: name.trim(),
          description: description.trim(),
          ...(filters && { filters }),
        };
        change.mutate({ of: over, changes }, { onSuccess });
      }
      return;
    }
    const cohort = cohortOfForm(form);
    if (cohort) {
      create.mutate(cohort, { onSuccess });
    }
  };
  return (
    <OpenDialog
      title={t(over ? 'cohorts.editTitle' : 'cohorts.create')}
      width={760}
      onClose={onClose}
    >
      <DialogForm
        submitLabel={t(over ? 'cohorts.save' : 'cohorts.create')}
        isPending={create.isPending || change.isPending}
        onSubmit={submit}
      >
        {create.error && (
          <SendFailure title={t('cohorts.createFailed')} error={create.error} />
        )}
        {change.error && (
          <SendFailure title={t('cohorts.saveFailed')} error={change.error} />
        )}
        <TextField
          label={t('cohorts.name')}
          value={name}
          onChange={next => set({ name: next })}
          maxLength={NAME_LENGTH}
          isInvalid={isMissing}
          {...(isMissing && { description: t('cohorts.nameMissing') })}
        />
        <TextField
          label={t('cohorts.description')}
          value={description}
          onChange={next => set({ description: next })}
          maxLength={DESCRIPTION_LENGTH}
        />
        {!over && (
          <RadioGroup
            label={t('cohorts.kind')}
            value={isList ? 'list' : 'conditions'}
            onChange={kind => set({ isList: kind === 'list' })}
          >
            {(['conditions', 'list'] as const).map(kind => (
              <Radio key={kind} value={kind}>
                {t(`cohorts.kinds.${kind}`)}
              </Radio>
            ))}
          </RadioGroup>
        )}
        {!isList && (
          <ConditionList
            projectId={projectId}
            form={form}
            isChecked={isChecked}
            onChange={set}
          />
        )}
        {isList && !over && (
          <IdsField
            ids={form.ids}
            isChecked={isChecked}
            onChange={ids => set({ ids })}
          />
        )}
      </DialogForm>
    </OpenDialog>
  );
}
