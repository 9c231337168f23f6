import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { NewSecret, SendFailure } from '@slipway/app-react';
import { DialogForm, OpenDialog } from '@slipway/design-system';
import { analyticsTranslationRef } from '../translation';
import { DestinationFields } from './DestinationFields';
import { destinationOf, EMPTY_FIELDS } from './destinationForm';
import { useCreateDestination } from './destinationQueries';

/** A dialog that creates a destination, and shows the secret of a webhook once. */
export function CreateDestinationDialog(props: {
  projectId: string;
  onCreated(id: string): void;
  onClose(): void;
}) {
  const { projectId, onCreated, onClose } = props;
  const { t } = useTranslationRef(analyticsTranslationRef);
  const {
    mutate,
    data: secret,
    error,
    isPending,
  } = useCreateDestination(projectId);
  const [fields, setFields] = useState(EMPTY_FIELDS);
  const [isChecked, setIsChecked] = useState(false);
  const submit = () => {
    setIsChecked(true);
    const destination = destinationOf(fields);
    if (destination) {
      mutate(destination, {
        onSuccess(created) {
          onCreated(destination.id);
          if (created === undefined) {
            onClose();
          }
        },
      });
    }
  };
  return (
    <OpenDialog
      title={t(secret ? 'destinations.secretTitle' : 'destinations.create')}
      onClose={onClose}
      isDismissable={!secret}
      isLocked={isPending}
    >
      {secret ? (
        <NewSecret
          text={t('destinations.secretText')}
          code={secret}
          copy={t('destinations.copySecret')}
          done={t('settings.done')}
        />
      ) : (
        <DialogForm
          submitLabel={t('destinations.create')}
          isPending={isPending}
          onSubmit={submit}
        >
          {error && (
            <SendFailure title={t('destinations.createFailed')} error={error} />
          )}
          <DestinationFields
            fields={fields}
            isChecked={isChecked}
            onChange={changed => setFields({ ...fields, ...changed })}
          />
        </DialogForm>
      )}
    </OpenDialog>
  );
}
