import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button, TextField } from '@backstage/ui';
import { SendFailure } from '@slipway/app-react';
import { DialogForm, OpenDialog } from '@slipway/design-system';
import type { ActorsSource } from '../api/PeopleApi';
import { useCreateCohort } from '../cohorts/cohortQueries';
import { analyticsTranslationRef } from '../translation';
import { CohortDone } from './CohortDone';

const NAME_LENGTH = 200;

/** A button that saves the users behind a number as a fixed list. */
export function SaveCohort(props: {
  projectId: string;
  of: ActorsSource;
  search: string;
  /** The default name of the list. */
  name: string;
}) {
  const { t } = useTranslationRef(analyticsTranslationRef);
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button size="small" variant="secondary" onPress={() => setIsOpen(true)}>
        {t('cohorts.saveAs')}
      </Button>
      {isOpen && <SaveDialog {...props} onClose={() => setIsOpen(false)} />}
    </>
  );
}

function SaveDialog(
  props: Parameters<typeof SaveCohort>[0] & { onClose(): void },
) {
  const { projectId, of, search, onClose } = props;
  const { t } = useTranslationRef(analyticsTranslationRef);
  const [name, setName] = useState(props.name.slice(0, NAME_LENGTH));
  const [isChecked, setIsChecked] = useState(false);
  const { mutate, data, error, isPending } = useCreateCohort(projectId);
  const isMissing = isChecked && name.trim() === '';
  const submit = () => {
    setIsChecked(true);
    if (name.trim() !== '') {
      mutate({
        name: name.trim(),
        is_static: true,
        query: {
          kind: 'ActorsQuery',
          source: of,
          ...(search.trim() !== '' && { search: search.trim() }),
        },
      });
    }
  };
  return (
    <OpenDialog title={t('cohorts.saveAs')} onClose={onClose}>
      {data ? (
        <CohortDone
          projectId={projectId}
          cohort={data}
          text={t('cohorts.saved', { name: data.name })}
        />
      ) : (
        <DialogForm
          submitLabel={t('cohorts.save')}
          isPending={isPending}
          onSubmit={submit}
        >
          {error && (
            <SendFailure title={t('cohorts.saveFailed')} error={error} />
          )}
          <TextField
            label={t('cohorts.name')}
            value={name}
            onChange={setName}
            maxLength={NAME_LENGTH}
            isInvalid={isMissing}
            {...(isMissing && { description: t('cohorts.nameMissing') })}
          />
        </DialogForm>
      )}
    </OpenDialog>
  );
}
