import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button, PasswordField } from '@backstage/ui';
import { SendFailure, useErrorWords } from '@slipway/app-react';
import {
  CodeLine,
  ConfirmDialog,
  DialogForm,
  OpenDialog,
} from '@slipway/design-system';
import {
  type ConnectionResponse,
  type ConnectionWithSecret,
  createsSecret,
} from '@slipway/plugin-delivery-lake-common';
import { useEnterSecret, useReplaceSecret } from '../queries';
import { deliveryLakeTranslationRef } from '../translation';

/** Shows a new secret, lets it be replaced, or asks for the one that the sender created. */
export function ConnectionSecret(props: {
  connection: ConnectionResponse;
  /** The secret, if it was created just now. */
  secret: string | undefined;
  onSecret(created: ConnectionWithSecret): void;
}) {
  const { connection, secret, onSecret } = props;
  const { t } = useTranslationRef(deliveryLakeTranslationRef);
  if (createsSecret(connection.forge)) {
    return <EnterSecret connection={connection} />;
  }
  return secret ? (
    <>
      <p>{t('connections.secretText')}</p>
      <CodeLine code={secret} label={t('connections.copySecret')} />
    </>
  ) : (
    <ReplaceSecret connection={connection} onSecret={onSecret} />
  );
}

function ReplaceSecret(props: {
  connection: ConnectionResponse;
  onSecret(created: ConnectionWithSecret): void;
}) {
  const { connection, onSecret } = props;
  const { t } = useTranslationRef(deliveryLakeTranslationRef);
  const errorWords = useErrorWords();
  const { mutateAsync } = useReplaceSecret();
  const [isAsking, setIsAsking] = useState(false);
  return (
    <>
      <p>{t('connections.secretHidden')}</p>
      <Button
        size="small"
        variant="secondary"
        onPress={() => setIsAsking(true)}
      >
        {t('connections.replace')}
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onOpenChange={setIsAsking}
        title={t('connections.replaceTitle', {
          repository: connection.repository,
        })}
        confirmLabel={t('connections.replace')}
        describeError={errorWords}
        onConfirm={async () => onSecret(await mutateAsync(connection.id))}
      >
        {t('connections.replaceText')}
      </ConfirmDialog>
    </>
  );
}

function EnterSecret({ connection }: { connection: ConnectionResponse }) {
  const { t } = useTranslationRef(deliveryLakeTranslationRef);
  const [isAsking, setIsAsking] = useState(false);
  const { needsSecret = false } = connection;
  return (
    <>
      <p>
        {t(
          needsSecret
            ? 'connections.pagerduty.secretText'
            : 'connections.pagerduty.secretStored',
        )}
      </p>
      <Button
        size="small"
        variant={needsSecret ? 'primary' : 'secondary'}
        onPress={() => setIsAsking(true)}
      >
        {t(
          needsSecret
            ? 'connections.pagerduty.enter'
            : 'connections.pagerduty.enterNew',
        )}
      </Button>
      {isAsking && (
        <EnterSecretDialog
          id={connection.id}
          onClose={() => setIsAsking(false)}
        />
      )}
    </>
  );
}

/** Minimum length of a secret that the lake accepts; those of PagerDuty are longer. */
const LEAST_SECRET = 16;

function EnterSecretDialog(props: { id: string; onClose(): void }) {
  const { id, onClose } = props;
  const { t } = useTranslationRef(deliveryLakeTranslationRef);
  const { mutate, error, isPending } = useEnterSecret();
  const [text, setText] = useState('');
  const [isChecked, setIsChecked] = useState(false);
  const secret = text.trim();
  const isWhole = secret.length >= LEAST_SECRET && !/\s/.test(secret);
  return (
    <OpenDialog
      title={t('connections.pagerduty.enter')}
      onClose={onClose}
      isLocked={isPending}
    >
      <DialogForm
        submitLabel={t('connections.pagerduty.save')}
        isPending={isPending}
        onSubmit={() => {
          setIsChecked(true);
          if (isWhole) {
            mutate({ id, secret }, { onSuccess: onClose });
          }
        }}
      >
        {error && (
          <SendFailure
            title={t('connections.pagerduty.saveFailed')}
            error={error}
          />
        )}
        <PasswordField
          // The only field of the dialog.
          // eslint-disable-next-line jsx-a11y/no-autofocus
          autoFocus
          label={t('connections.pagerduty.secret')}
          description={t('connections.pagerduty.secretHelp')}
          value={text}
          onChange={setText}
          validationBehavior="aria"
          validate={() =>
            !isChecked || isWhole || t('connections.pagerduty.secretMissing')
          }
        />
      </DialogForm>
    </OpenDialog>
  );
}
