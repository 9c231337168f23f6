import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Alert } from '@backstage/ui';
import { SendFailure } from '@slipway/app-react';
import { DialogForm, OpenDialog } from '@slipway/design-system';
import type { Destination } from '../api/DestinationsApi';
import { analyticsTranslationRef } from '../translation';
import { DestinationFields } from './DestinationFields';
import { changesOf, fieldsOf } from './destinationForm';
import { useChangeDestination } from './destinationQueries';

/**
 * A dialog that changes the settings of a destination. Secrets that are left empty are
 * kept, unless they cannot be decrypted.
 */
export function EditDestinationDialog(props: {
  projectId: string;
  destination: Destination;
  /** @param id - the destination's id after the change. */
  onSaved(id: string): void;
  onClose(): void;
}) {
  const { projectId, destination, onSaved, onClose } = props;
  const { t } = useTranslationRef(analyticsTranslationRef);
  const [fields, setFields] = useState(() => fieldsOf(destination));
  const [isChecked, setIsChecked] = useState(false);
  const { mutate, error, isPending } = useChangeDestination(
    projectId,
    destination.id,
  );
  const submit = () => {
    setIsChecked(true);
    const changes = changesOf(fields, destination);
    if (changes) {
      mutate(changes, { onSuccess: () => onSaved(fields.id.trim()) });
    }
  };
  return (
    <OpenDialog
      title={t('destinations.editTitle', { name: destination.id })}
      onClose={onClose}
    >
      <DialogForm
        submitLabel={t('destinations.save')}
        isPending={isPending}
        onSubmit={submit}
      >
        {error && (
          <SendFailure title={t('destinations.changeFailed')} error={error} />
        )}
        {!destination.is_readable && (
          <Alert status="info" icon title={t('destinations.renewHelp')} />
        )}
        <DestinationFields
          fields={fields}
          destination={destination}
          isChecked={isChecked}
          onChange={changed => setFields({ ...fields, ...changed })}
        />
      </DialogForm>
    </OpenDialog>
  );
}
