import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Checkbox, CheckboxGroup, Select } from '@backstage/ui';
import {
  CreateCredentialDialog,
  NewSecret,
  SendFailure,
} from '@slipway/app-react';
import { DialogForm, OpenDialog } from '@slipway/design-system';
import {
  type Credential,
  type CredentialKind,
  READ_SCOPES,
  TOKEN_SCOPES,
  type TokenScope,
} from '../api/EventsApi';
import { useCreateCredential, useRotateCredential } from '../projectQueries';
import { analyticsTranslationRef } from '../translation';
import styles from '../analytics.module.css';

const DAY_MS = 86_400_000;
/** The lifetimes of a token to choose from, in days; 0 for no expiry. */
const LIFETIMES = [0, 30, 90, 365] as const;

/** A dialog that creates a key, or a token with scopes and an expiry, and shows its secret. */
export function CreateKeyDialog(props: { projectId: string; onClose(): void }) {
  const { projectId, onClose } = props;
  const { t } = useTranslationRef(analyticsTranslationRef);
  const { mutateAsync } = useCreateCredential(projectId);
  const [scopes, setScopes] = useState<TokenScope[]>([...READ_SCOPES]);
  const [days, setDays] = useState<number>(0);
  const limits = () => ({
    scopes,
    ...(days > 0 && {
      expiresAt: new Date(Date.now() + days * DAY_MS).toISOString(),
    }),
  });
  return (
    <CreateCredentialDialog<CredentialKind>
      onClose={onClose}
      kinds={[
        { id: 'capture', label: t('settings.captureHelp') },
        { id: 'query', label: t('settings.queryHelp') },
      ]}
      onCreate={async wanted => {
        if (wanted.kind === 'query' && scopes.length === 0) {
          throw new Error(t('settings.scopesMissing'));
        }
        return mutateAsync({
          ...wanted,
          ...(wanted.kind === 'query' && limits()),
        });
      }}
      renderMore={kind =>
        kind === 'query' && (
          <>
            <CheckboxGroup
              label={t('settings.scopes')}
              value={scopes}
              onChange={chosen => setScopes(chosen as TokenScope[])}
            >
              {TOKEN_SCOPES.map(scope => (
                <Checkbox key={scope} value={scope}>
                  {t(`settings.scopeNames.${scope}`)}
                </Checkbox>
              ))}
            </CheckboxGroup>
            <Select
              label={t('settings.expires')}
              value={String(days)}
              onChange={value => setDays(Number(value))}
              options={LIFETIMES.map(value => ({
                value: String(value),
                label:
                  value === 0
                    ? t('settings.never')
                    : t('settings.inDays', { days: String(value) }),
              }))}
            />
          </>
        )
      }
      renderFailure={error => (
        <SendFailure title={t('settings.createFailed')} error={error} />
      )}
      texts={{
        create: t('settings.create'),
        name: t('settings.name'),
        nameMissing: t('settings.nameMissing'),
        kind: t('settings.kind'),
        madeTitle: () => t('settings.madeTitle'),
        madeText: t('settings.madeText'),
        copy: t('settings.copy'),
        done: t('settings.done'),
      }}
    />
  );
}

/** A dialog that replaces the secret of a key or token, and shows the new one. */
export function RotateKeyDialog(props: {
  projectId: string;
  credential: Credential;
  onClose(): void;
}) {
  const { projectId, credential, onClose } = props;
  const { t } = useTranslationRef(analyticsTranslationRef);
  const { mutate, error, isPending, data } = useRotateCredential(projectId);
  return (
    <OpenDialog
      title={
        data
          ? t('settings.madeTitle')
          : t('settings.rotateTitle', { name: credential.name })
      }
      onClose={onClose}
      isDismissable={!data}
      isLocked={isPending}
    >
      {data ? (
        <NewSecret
          text={t('settings.madeText')}
          code={data}
          copy={t('settings.copy')}
          done={t('settings.done')}
        />
      ) : (
        <DialogForm
          submitLabel={t('settings.rotateConfirm')}
          isPending={isPending}
          onSubmit={() => mutate(credential.id)}
        >
          {error && (
            <SendFailure title={t('settings.rotateFailed')} error={error} />
          )}
          <p className={styles.text}>{t('settings.rotateText')}</p>
        </DialogForm>
      )}
    </OpenDialog>
  );
}
