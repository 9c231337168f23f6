import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button, DialogBody, DialogFooter } from '@backstage/ui';
import { SendFailure } from '@slipway/app-react';
import { CodeLine, DialogForm, OpenDialog } from '@slipway/design-system';
import { analyticsTranslationRef } from '../translation';
import { DestinationFields } from './DestinationFields';
import { destinationOf, EMPTY_FIELDS } from './destinationForm';
import { useCreateDestination } from './destinationQueries';
import styles from '../analytics.module.css';

/** Creates a destination, and shows the secret of a webhook once. */
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
    >
      {secret ? (
        <Secret secret={secret} />
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

function Secret({ secret }: { secret: string }) {
  const { t } = useTranslationRef(analyticsTranslationRef);
  return (
    <>
      <DialogBody>
        <div className={styles.stack}>
          <p className={styles.text}>{t('destinations.secretText')}</p>
          <CodeLine code={secret} label={t('destinations.copySecret')} />
        </div>
      </DialogBody>
      <DialogFooter>
        <Button variant="primary" slot="close">
          {t('settings.done')}
        </Button>
      </DialogFooter>
    </>
  );
}
