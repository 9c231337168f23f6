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
import type { NewApiToken, TokenType } from '../../api/types';
import { SendFailure } from '../../components/SendFailure';
import { useCreateToken } from '../../data/useChanges';
import { flagsTranslationRef } from '../../translation';
import styles from './Access.module.css';

/** Makes a token and shows its secret, this once. */
export function CreateTokenDialog({ onClose }: { onClose(): void }) {
  const { t } = useTranslationRef(flagsTranslationRef);
  const [made, setMade] = useState<NewApiToken>();
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
        {made
          ? t('access.madeTitle', { name: made.tokenName })
          : t('access.create')}
      </DialogHeader>
      {made ? (
        <>
          <DialogBody>
            <div className={styles.stack}>
              <p className={styles.text}>{t('access.madeText')}</p>
              <CodeLine code={made.secret} label={t('access.copy')} />
            </div>
          </DialogBody>
          <DialogFooter>
            <Button variant="primary" slot="close">
              {t('access.done')}
            </Button>
          </DialogFooter>
        </>
      ) : (
        <TokenForm onMade={setMade} />
      )}
    </Dialog>
  );
}

function TokenForm({ onMade }: { onMade(token: NewApiToken): void }) {
  const { t } = useTranslationRef(flagsTranslationRef);
  const formId = useId();
  const [tokenName, setTokenName] = useState('');
  const [type, setType] = useState<TokenType>('client');
  const [isChecked, setIsChecked] = useState(false);
  const { mutate, error, isPending } = useCreateToken();
  const isNamed = tokenName.trim() !== '';

  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    setIsChecked(true);
    if (isNamed && !isPending) {
      mutate({ tokenName: tokenName.trim(), type }, { onSuccess: onMade });
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
            <SendFailure title={t('access.createFailed')} error={error} />
          )}
          <TextField
            // The name is what the dialog is about.
            // eslint-disable-next-line jsx-a11y/no-autofocus
            autoFocus
            label={t('access.nameField')}
            description={t('access.nameHelp')}
            maxLength={100}
            value={tokenName}
            onChange={setTokenName}
            validationBehavior="aria"
            validate={() => !isChecked || isNamed || t('access.nameMissing')}
          />
          <RadioGroup
            label={t('access.kind')}
            value={type}
            onChange={value => setType(value as TokenType)}
          >
            <Radio value="client">{t('access.clientHelp')}</Radio>
            <Radio value="admin">{t('access.adminHelp')}</Radio>
          </RadioGroup>
        </form>
      </DialogBody>
      <DialogFooter>
        <Button variant="secondary" slot="close">
          {t('create.cancel')}
        </Button>
        <Button
          variant="primary"
          type="submit"
          form={formId}
          isPending={isPending}
        >
          {t('access.create')}
        </Button>
      </DialogFooter>
    </>
  );
}
