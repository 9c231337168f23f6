import { type FormEvent, useId, useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import {
  Button,
  Dialog,
  DialogBody,
  DialogFooter,
  DialogHeader,
  Radio,
  RadioGroup,
  TextField,
} from '@backstage/ui';
import { CodeLine } from '@slipway/design-system';
import type { CredentialKind } from '../../api/types';
import styles from '../../components/components.module.css';
import { SendFailure } from '../../components/SendFailure';
import { useCreateCredential } from '../../data/useEvents';
import { analyticsTranslationRef } from '../../translation';

/** Makes a key or token and shows its secret, this once. */
export function CreateCredentialDialog(props: {
  projectId: string;
  onClose(): void;
}) {
  const { projectId, onClose } = props;
  const { t } = useTranslationRef(analyticsTranslationRef);
  const [secret, setSecret] = useState<string>();
  return (
    <Dialog
      isOpen
      onOpenChange={isOpen => {
        if (!isOpen) {
          onClose();
        }
      }}
      width="min(560px, calc(100vw - 32px))"
    >
      <DialogHeader>
        {t(secret ? 'settings.madeTitle' : 'settings.create')}
      </DialogHeader>
      {secret ? (
        <>
          <DialogBody>
            <div className={styles.stack}>
              <p className={styles.text}>{t('settings.madeText')}</p>
              <CodeLine code={secret} label={t('settings.copy')} />
            </div>
          </DialogBody>
          <DialogFooter>
            <Button variant="primary" slot="close">
              {t('settings.done')}
            </Button>
          </DialogFooter>
        </>
      ) : (
        <CredentialForm projectId={projectId} onMade={setSecret} />
      )}
    </Dialog>
  );
}

function CredentialForm(props: {
  projectId: string;
  onMade(secret: string): void;
}) {
  const { projectId, onMade } = props;
  const { t } = useTranslationRef(analyticsTranslationRef);
  const formId = useId();
  const [name, setName] = useState('');
  const [kind, setKind] = useState<CredentialKind>('capture');
  const [isChecked, setIsChecked] = useState(false);
  const { mutate, error, isPending } = useCreateCredential(projectId);
  const isNamed = name.trim() !== '';

  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    setIsChecked(true);
    if (isNamed && !isPending) {
      mutate({ name: name.trim(), kind }, { onSuccess: onMade });
    }
  };

  return (
    <>
      <DialogBody>
        <form
          id={formId}
          className={styles.stack}
          onSubmit={onSubmit}
          noValidate
        >
          {error && (
            <SendFailure title={t('settings.createFailed')} error={error} />
          )}
          <TextField
            // The name is what the dialog is about.
            // eslint-disable-next-line jsx-a11y/no-autofocus
            autoFocus
            label={t('settings.name')}
            maxLength={100}
            value={name}
            onChange={setName}
            validationBehavior="aria"
            validate={() => !isChecked || isNamed || t('settings.nameMissing')}
          />
          <RadioGroup
            label={t('settings.kind')}
            value={kind}
            onChange={value => setKind(value as CredentialKind)}
          >
            <Radio value="capture">{t('settings.captureHelp')}</Radio>
            <Radio value="query">{t('settings.queryHelp')}</Radio>
          </RadioGroup>
        </form>
      </DialogBody>
      <DialogFooter>
        <Button variant="secondary" slot="close">
          {t('settings.cancel')}
        </Button>
        <Button
          variant="primary"
          type="submit"
          form={formId}
          isPending={isPending}
        >
          {t('settings.create')}
        </Button>
      </DialogFooter>
    </>
  );
}
