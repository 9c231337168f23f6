import { useId, useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { TextField } from '@backstage/ui';
import { SendFailure } from '@slipway/app-react';
import { DialogForm, OpenDialog } from '@slipway/design-system';
import type { Person } from '../api/PeopleApi';
import { useErasePerson } from '../peopleQueries';
import { analyticsTranslationRef } from '../translation';
import { personName } from '../pages/displayText';

/** Requires the name of a person before all their data is deleted. */
export function DeletePersonDialog(props: {
  projectId: string;
  person: Person;
  onDeleted(): void;
  onClose(): void;
}) {
  const { projectId, person, onDeleted, onClose } = props;
  const { t } = useTranslationRef(analyticsTranslationRef);
  const textId = useId();
  const [typed, setTyped] = useState('');
  const [isChecked, setIsChecked] = useState(false);
  const erase = useErasePerson(projectId);
  const name = personName(person);
  const isWrong = isChecked && typed.trim() !== name;
  return (
    <OpenDialog title={t('people.deleteTitle', { name })} onClose={onClose}>
      <DialogForm
        submitLabel={t('people.delete')}
        isPending={erase.isPending}
        onSubmit={() => {
          setIsChecked(true);
          if (typed.trim() === name) {
            erase.mutate(person.id, { onSuccess: onDeleted });
          }
        }}
      >
        {erase.error && (
          <SendFailure title={t('people.deleteFailed')} error={erase.error} />
        )}
        <p id={textId}>{t('people.deleteText')}</p>
        <TextField
          // Receives the initial focus, so screen readers would otherwise skip the text above.
          aria-describedby={textId}
          label={t('people.typeName', { name })}
          value={typed}
          onChange={setTyped}
          autoComplete="off"
          isInvalid={isWrong}
          {...(isWrong && { description: t('people.wrongName') })}
        />
      </DialogForm>
    </OpenDialog>
  );
}
