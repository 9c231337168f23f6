import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button } from '@backstage/ui';
import { RiAddLine } from '@remixicon/react';
import { QueryTable, useErrorWords } from '@slipway/app-react';
import {
  CodeLine,
  ConfirmDialog,
  type DataColumn,
  EmptyState,
  RelativeTime,
  StatusBadge,
  useUrlSort,
} from '@slipway/design-system';
import type { Secret } from '../api/BuildsApi';
import { useRemoveSecret, useSecrets } from '../queries';
import { buildsTranslationRef, type Translate } from '../translation';
import { SecretDialog } from './SecretDialog';
import styles from './AgentsPage.module.css';

/** Lists the secrets of builds for admins, without values. */
export function SecretsPage() {
  const { t } = useTranslationRef(buildsTranslationRef);
  const query = useSecrets();
  const [edited, setEdited] = useState<Secret | 'new'>();
  const isStorable = query.data?.storable ?? false;
  return (
    <>
      {isStorable && (
        <div className={styles.tools}>
          <Button
            variant="primary"
            iconStart={<RiAddLine />}
            onPress={() => setEdited('new')}
          >
            {t('secrets.add')}
          </Button>
        </div>
      )}
      {edited !== undefined && (
        <SecretDialog
          secret={edited === 'new' ? undefined : edited}
          onClose={() => setEdited(undefined)}
        />
      )}
      {query.data && !isStorable && (
        <>
          <p className={styles.text}>{t('secrets.notStorable')}</p>
          <CodeLine
            code="buildServer: { secretsKey: '${BUILD_SECRETS_KEY}' }"
            label={t('secrets.copy')}
          />
        </>
      )}
      <QueryTable
        label={t('secrets.label')}
        query={query}
        rowsOf={({ secrets }) => secrets}
        failed={t('secrets.failed')}
        rowId={({ name }) => name}
        sort={useUrlSort(['name', 'used', 'updated'])}
        exportAs="secrets"
        columns={columnsOf(t, { onEdit: setEdited })}
        loading={t('secrets.loading')}
        empty={
          <EmptyState
            title={t('secrets.emptyTitle')}
            description={t('secrets.emptyDescription')}
          />
        }
      />
    </>
  );
}

function columnsOf(
  t: Translate,
  { onEdit }: { onEdit(secret: Secret): void },
): DataColumn<Secret>[] {
  return [
    {
      id: 'name',
      label: t('secrets.name'),
      text: ({ name }) => name,
      sortBy: ({ name }) => name,
      cell: ({ name, readable }) => (
        <span className={styles.agent}>
          {name}
          {!readable && (
            <StatusBadge tone="danger" label={t('secrets.unreadable')} />
          )}
        </span>
      ),
    },
    {
      id: 'jobs',
      label: t('secrets.jobs'),
      from: 'sm',
      csv: ({ jobs }) => jobs.join(', '),
      cell: ({ jobs }) => jobs.join(', '),
    },
    {
      id: 'branches',
      label: t('secrets.branches'),
      from: 'md',
      csv: ({ branches }) => branches.join(', '),
      cell: ({ branches }) =>
        branches.length === 0 ? t('secrets.allBranches') : branches.join(', '),
    },
    {
      id: 'used',
      label: t('secrets.used'),
      from: 'md',
      csv: ({ lastUsedAt }) => lastUsedAt && new Date(lastUsedAt).toISOString(),
      sortBy: ({ lastUsedAt }) => lastUsedAt,
      cell: ({ lastUsedAt, lastUsedBy }) =>
        lastUsedAt === null ? (
          t('secrets.never')
        ) : (
          <>
            <RelativeTime value={lastUsedAt} />
            {` · ${lastUsedBy}`}
          </>
        ),
    },
    {
      id: 'updated',
      label: t('secrets.updated'),
      from: 'lg',
      csv: ({ updatedAt }) => updatedAt && new Date(updatedAt).toISOString(),
      sortBy: ({ updatedAt }) => updatedAt,
      cell: ({ updatedAt, updatedBy }) =>
        updatedAt === null ? (
          t('secrets.configured')
        ) : (
          <>
            <RelativeTime value={updatedAt} />
            {` · ${updatedBy}`}
          </>
        ),
    },
    {
      id: 'actions',
      label: t('secrets.actions'),
      hidesLabel: true,
      width: 176,
      cell: secret =>
        secret.origin === 'stored' && (
          <SecretActions secret={secret} onEdit={() => onEdit(secret)} />
        ),
    },
  ];
}

function SecretActions({
  secret: { name },
  onEdit,
}: {
  secret: Secret;
  onEdit(): void;
}) {
  const { t } = useTranslationRef(buildsTranslationRef);
  const errorWords = useErrorWords();
  const [isAsking, setIsAsking] = useState(false);
  const { mutateAsync } = useRemoveSecret();
  return (
    <span className={styles.actions}>
      <Button
        size="small"
        variant="secondary"
        aria-label={`${t('secrets.edit')} ${name}`}
        onPress={onEdit}
      >
        {t('secrets.edit')}
      </Button>
      <Button
        size="small"
        variant="tertiary"
        aria-label={`${t('secrets.delete')} ${name}`}
        onPress={() => setIsAsking(true)}
      >
        {t('secrets.delete')}
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onOpenChange={setIsAsking}
        title={t('secrets.deleteTitle', { name })}
        confirmLabel={t('secrets.delete')}
        describeError={errorWords}
        onConfirm={() => mutateAsync(name)}
      >
        {t('secrets.deleteText')}
      </ConfirmDialog>
    </span>
  );
}
