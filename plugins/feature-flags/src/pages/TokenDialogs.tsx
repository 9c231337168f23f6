import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Radio, RadioGroup, Select, TextField } from '@backstage/ui';
import { NewSecret, SendFailure } from '@slipway/app-react';
import { DialogForm, OpenDialog } from '@slipway/design-system';
import type { ApiToken, TokenType } from '../api/tokens';
import { useAllEnvironments, useProjects } from '../queries/registers';
import { useCreateToken, useRotateToken, useUser } from '../queries/access';
import { flagsTranslationRef } from '../translation';
import styles from './AccessPage.module.css';

const KINDS = [
  ['client', 'access.clientHelp'],
  ['frontend', 'access.frontendHelp'],
  ['admin', 'access.adminHelp'],
] as const;

const DAY_MS = 86_400_000;
/** Lifetimes to choose from, in days; 0 means no expiry. */
const LIFETIMES = [0, 30, 90, 365];
/** Means all projects. */
const ALL = '*';

/** Creates a token for a project and an environment, and shows its secret once. */
export function CreateTokenDialog({ onClose }: { onClose(): void }) {
  const { t } = useTranslationRef(flagsTranslationRef);
  const create = useCreateToken();
  const secret = create.data?.secret;
  const [name, setName] = useState('');
  return (
    <OpenDialog
      title={
        secret === undefined
          ? t('access.create')
          : t('access.madeTitle', { name: name.trim() })
      }
      onClose={onClose}
      // A click outside would lose the secret.
      isDismissable={secret === undefined}
      isLocked={create.isPending}
    >
      {secret === undefined ? (
        <TokenForm name={name} onName={setName} create={create} />
      ) : (
        <Secret secret={secret} />
      )}
    </OpenDialog>
  );
}

function TokenForm(props: {
  name: string;
  onName(name: string): void;
  create: ReturnType<typeof useCreateToken>;
}) {
  const { name, onName, create } = props;
  const { t } = useTranslationRef(flagsTranslationRef);
  const { data: user } = useUser();
  const { data: projects = [] } = useProjects();
  const { data: environments = [] } = useAllEnvironments();
  const { mutate, error, isPending } = create;
  const [type, setType] = useState<TokenType>('client');
  const [project, setProject] = useState(ALL);
  const [chosen, setChosen] = useState<string>();
  const [days, setDays] = useState(0);
  const [isChecked, setIsChecked] = useState(false);
  const environment = chosen ?? user?.environment ?? '';
  const isNamed = name.trim() !== '';

  const onSubmit = () => {
    setIsChecked(true);
    if (!isNamed) {
      return;
    }
    mutate({
      tokenName: name.trim(),
      type,
      ...(type !== 'admin' && { projects: [project], environment }),
      ...(days > 0 && {
        expiresAt: new Date(Date.now() + days * DAY_MS).toISOString(),
      }),
    });
  };

  return (
    <DialogForm
      submitLabel={t('access.create')}
      isPending={isPending}
      onSubmit={onSubmit}
    >
      {error && <SendFailure title={t('access.createFailed')} error={error} />}
      <TextField
        // The dialog is opened to enter the name.
        // eslint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
        label={t('access.name')}
        description={t('access.nameHelp')}
        maxLength={100}
        value={name}
        onChange={onName}
        validationBehavior="aria"
        validate={() => !isChecked || isNamed || t('access.nameMissing')}
      />
      <RadioGroup
        label={t('access.kind')}
        value={type}
        onChange={value => setType(value as TokenType)}
      >
        {KINDS.map(([id, help]) => (
          <Radio key={id} value={id}>
            {t(help)}
          </Radio>
        ))}
      </RadioGroup>
      {type !== 'admin' && (
        <>
          <Select
            label={t('access.project')}
            value={project}
            onChange={key => key !== null && setProject(String(key))}
            options={[
              { id: ALL, label: t('access.allProjects') },
              ...projects.map(each => ({ id: each.id, label: each.name })),
            ]}
          />
          <Select
            label={t('access.environment')}
            value={environment}
            onChange={key => key !== null && setChosen(String(key))}
            options={environments.map(each => ({
              id: each.name,
              label: each.name,
            }))}
          />
        </>
      )}
      <Select
        label={t('access.expiry')}
        value={String(days)}
        onChange={key => setDays(Number(key))}
        options={LIFETIMES.map(each => ({
          id: String(each),
          label:
            each === 0
              ? t('access.never')
              : t('access.inDays', { days: String(each) }),
        }))}
      />
    </DialogForm>
  );
}

/** Creates a new secret for a token, and shows it once. */
export function RotateTokenDialog(props: { token: ApiToken; onClose(): void }) {
  const { token, onClose } = props;
  const { t } = useTranslationRef(flagsTranslationRef);
  const { mutate, error, isPending, data } = useRotateToken();
  const { tokenName: name } = token;
  return (
    <OpenDialog
      title={t(data ? 'access.madeTitle' : 'access.rotateTitle', { name })}
      onClose={onClose}
      isDismissable={!data}
      isLocked={isPending}
    >
      {data ? (
        <Secret secret={data.secret} />
      ) : (
        <DialogForm
          submitLabel={t('access.rotateConfirm')}
          isPending={isPending}
          onSubmit={() => mutate(token.id)}
        >
          {error && (
            <SendFailure title={t('access.createFailed')} error={error} />
          )}
          <p className={styles.text}>{t('access.rotateText')}</p>
        </DialogForm>
      )}
    </OpenDialog>
  );
}

function Secret({ secret }: { secret: string }) {
  const { t } = useTranslationRef(flagsTranslationRef);
  return (
    <NewSecret
      text={t('access.madeText')}
      code={secret}
      copy={t('access.copy')}
      done={t('access.done')}
    />
  );
}
