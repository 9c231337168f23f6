import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { NumberField, Select, Switch, TextField } from '@backstage/ui';
import { SendFailure } from '@slipway/app-react';
import { DialogForm, OpenDialog } from '@slipway/design-system';
import type { Environment } from '../api/registers';
import { NamedRecords } from '../components/NamedRecords';
import {
  useAllEnvironments,
  useDeleteEnvironment,
  useSaveEnvironment,
  useUpdateEnvironment,
} from '../queries/registers';
import { useMayChange, useUser } from '../queries/access';
import { flagsTranslationRef } from '../translation';
import styles from './ListPage.module.css';

/** Types to choose from; the service accepts any. */
const TYPES = ['development', 'test', 'preproduction', 'production'] as const;

/** The environments, their types, and whether changes in them need approval. */
export function EnvironmentsPage() {
  const { t } = useTranslationRef(flagsTranslationRef);
  const remove = useDeleteEnvironment();
  const { data: user } = useUser();
  return (
    <NamedRecords
      texts={{
        title: t('environments.title'),
        create: t('environments.create'),
        name: t('environments.name'),
        edit: t('environments.edit'),
        failed: t('environments.failed'),
        loading: t('environments.loading'),
        editNamed: name => t('environments.editNamed', { name }),
        removeNamed: name => t('environments.removeNamed', { name }),
        removeTitle: name => t('environments.removeTitle', { name }),
        removeConfirm: t('environments.removeConfirm'),
        removeText: t('environments.removeText'),
      }}
      query={useAllEnvironments()}
      columns={[
        {
          id: 'type',
          label: t('environments.type'),
          cell: ({ type }) => <EnvironmentType type={type} />,
          from: 'sm',
        },
        {
          id: 'protected',
          label: t('environments.approval'),
          cell: environment => <Protection environment={environment} />,
        },
        {
          id: 'approvals',
          label: t('environments.approvals'),
          from: 'sm',
          cell: environment => <Approvals environment={environment} />,
        },
      ]}
      dialog={(environment, onClose) => (
        <EnvironmentDialog environment={environment} onClose={onClose} />
      )}
      stays={name => name === user?.environment}
      onRemove={name => remove.mutateAsync(name)}
    />
  );
}

function EnvironmentType({ type }: { type: string }) {
  const { t } = useTranslationRef(flagsTranslationRef);
  return <>{isKnown(type) ? t(`environments.types.${type}`) : type}</>;
}

/** Creates an environment, or changes its type. */
function EnvironmentDialog(props: {
  environment: Environment | undefined;
  onClose(): void;
}) {
  const { environment, onClose } = props;
  const { t } = useTranslationRef(flagsTranslationRef);
  const { mutate, error, isPending } = useSaveEnvironment();
  const [name, setName] = useState(environment?.name ?? '');
  const [type, setType] = useState(environment?.type ?? 'preproduction');
  const [isChecked, setIsChecked] = useState(false);
  const isNamed = /^[A-Za-z0-9_~-]{1,100}$/.test(name.trim());
  const onSubmit = () => {
    setIsChecked(true);
    if (isNamed) {
      mutate(
        {
          isNew: environment === undefined,
          environment: { name: name.trim(), type },
        },
        { onSuccess: onClose },
      );
    }
  };
  return (
    <OpenDialog
      title={
        environment
          ? t('environments.editNamed', { name: environment.name })
          : t('environments.create')
      }
      onClose={onClose}
    >
      <DialogForm
        submitLabel={t(
          environment ? 'environments.save' : 'environments.create',
        )}
        isPending={isPending}
        onSubmit={onSubmit}
      >
        {error && (
          <SendFailure title={t('environments.saveFailed')} error={error} />
        )}
        {!environment && (
          <TextField
            // The dialog is opened to enter the name.
            // eslint-disable-next-line jsx-a11y/no-autofocus
            autoFocus
            label={t('environments.name')}
            description={t('environments.nameHelp')}
            maxLength={100}
            value={name}
            onChange={setName}
            validationBehavior="aria"
            validate={() =>
              !isChecked || isNamed || t('environments.nameWrong')
            }
          />
        )}
        <Select
          label={t('environments.type')}
          description={t('environments.typeHelp')}
          value={type}
          onChange={key => key !== null && setType(String(key))}
          options={[...new Set<string>([...TYPES, type])].map(id => ({
            id,
            label: isKnown(id) ? t(`environments.types.${id}`) : id,
          }))}
        />
      </DialogForm>
    </OpenDialog>
  );
}

function isKnown(type: string): type is (typeof TYPES)[number] {
  return (TYPES as readonly string[]).includes(type);
}

function Protection({ environment }: { environment: Environment }) {
  const { t } = useTranslationRef(flagsTranslationRef);
  const { name } = environment;
  const mayChange = useMayChange();
  const { data: user } = useUser();
  const { mutate, error, isPending, variables } = useUpdateEnvironment(name);
  if (user?.environment === name) {
    return <span className={styles.quiet}>{t('environments.own')}</span>;
  }
  return (
    <>
      <Switch
        aria-label={t('environments.protect', { environment: name })}
        isSelected={
          (isPending ? variables.protected : undefined) ?? environment.protected
        }
        isDisabled={!mayChange}
        isReadOnly={isPending}
        onChange={isOn => mutate({ protected: isOn })}
      />
      {error && (
        <SendFailure
          title={t('environments.changeFailed', { environment: name })}
          error={error}
        />
      )}
    </>
  );
}

function Approvals({ environment }: { environment: Environment }) {
  const { t } = useTranslationRef(flagsTranslationRef);
  const { name, requiredApprovals } = environment;
  const mayChange = useMayChange();
  const { mutate, error, isPending } = useUpdateEnvironment(name);
  return (
    environment.protected && (
      <>
        <NumberField
          aria-label={t('environments.approvalsOf', { environment: name })}
          size="small"
          minValue={1}
          maxValue={10}
          value={requiredApprovals}
          isDisabled={!mayChange}
          isReadOnly={isPending}
          onChange={value =>
            Number.isFinite(value) &&
            value !== requiredApprovals &&
            mutate({ requiredApprovals: value })
          }
        />
        {error && (
          <SendFailure
            title={t('environments.changeFailed', { environment: name })}
            error={error}
          />
        )}
      </>
    )
  );
}
