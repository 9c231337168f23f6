import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { NumberField, Switch } from '@backstage/ui';
import { QueryTable, SendFailure } from '@slipway/app-react';
import type { Environment } from '../api/registers';
import { useAllEnvironments, useUpdateEnvironment } from '../queries/registers';
import { useMayChange, useUser } from '../queries/access';
import { flagsTranslationRef } from '../translation';
import styles from './ListPage.module.css';

/** The environments, and whether changes in them need approval. */
export function EnvironmentsPage() {
  const { t } = useTranslationRef(flagsTranslationRef);
  return (
    <QueryTable
      label={t('environments.title')}
      query={useAllEnvironments()}
      rowsOf={environments => environments}
      failed={t('environments.failed')}
      loading={t('environments.loading')}
      rowId={({ name }) => name}
      columns={[
        {
          id: 'name',
          label: t('environments.name'),
          text: ({ name }) => name,
          cell: ({ name }) => name,
        },
        {
          id: 'type',
          label: t('environments.type'),
          cell: ({ type }) => type,
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
    />
  );
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
  const { mutate, isPending } = useUpdateEnvironment(name);
  return (
    environment.protected && (
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
    )
  );
}
