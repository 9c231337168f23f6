import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button } from '@backstage/ui';
import {
  CreateCredentialDialog,
  CredentialTable,
  Loaded,
  SendFailure,
} from '@slipway/app-react';
import {
  Details,
  EmptyState,
  LoadingRows,
  Panel,
  RelativeTime,
} from '@slipway/design-system';
import type { Credential, CredentialKind } from '../api/EventsApi';
import {
  useCreateCredential,
  useCredentials,
  useIngestion,
  useProject,
  useRevokeCredential,
} from '../queries';
import { analyticsTranslationRef } from '../translation';
import { ConnectGuide } from './ConnectGuide';
import styles from '../analytics.module.css';

/** Shows the keys and tokens of a project, and how to connect a product. */
export function SettingsPage() {
  const { t } = useTranslationRef(analyticsTranslationRef);
  const { list, project } = useProject();
  const query = useCredentials(project?.id);
  const [isCreating, setIsCreating] = useState(false);
  const mayManage = list.data?.mayManage ?? false;
  return (
    <div className={styles.stack}>
      <Panel
        title={t('settings.title')}
        padded={!query.data}
        action={
          mayManage && (
            <Button
              size="small"
              variant="primary"
              onPress={() => setIsCreating(true)}
            >
              {t('settings.create')}
            </Button>
          )
        }
      >
        <Loaded
          query={query}
          failed={t('settings.failed')}
          loading={<LoadingRows label={t('settings.loading')} rows={3} />}
        >
          {credentials =>
            project && (
              <KeyTable
                projectId={project.id}
                credentials={credentials}
                mayManage={mayManage}
              />
            )
          }
        </Loaded>
      </Panel>
      {!mayManage && <p className={styles.text}>{t('settings.denied')}</p>}
      {project && <IngestionPanel projectId={project.id} />}
      <ConnectGuide />
      {isCreating && project && (
        <CreateKeyDialog
          projectId={project.id}
          onClose={() => setIsCreating(false)}
        />
      )}
    </div>
  );
}

/** Lists keys and tokens without their secrets. */
function KeyTable(props: {
  projectId: string;
  credentials: readonly Credential[];
  mayManage: boolean;
}) {
  const { projectId, credentials, mayManage } = props;
  const { t } = useTranslationRef(analyticsTranslationRef);
  const revoke = useRevokeCredential(projectId);
  if (credentials.length === 0) {
    return (
      <EmptyState
        level={3}
        title={t('settings.emptyTitle')}
        description={t('settings.emptyDescription')}
      />
    );
  }
  return (
    <CredentialTable
      credentials={credentials}
      columns={[
        {
          id: 'kind',
          label: t('settings.kind'),
          cell: ({ kind }) => t(`settings.kinds.${kind}`),
        },
        {
          id: 'secret',
          label: t('settings.secret'),
          cell: ({ kind, hint }) => (
            <code>
              {kind === 'capture' ? 'phc_' : 'phx_'}…{hint}
            </code>
          ),
          from: 'sm',
        },
        {
          id: 'made',
          label: t('settings.made'),
          cell: ({ isConfigured, createdAt }) =>
            isConfigured ? (
              t('settings.configured')
            ) : (
              <RelativeTime value={createdAt} />
            ),
          from: 'sm',
        },
      ]}
      mayRevoke={({ isConfigured }) => mayManage && !isConfigured}
      onRevoke={({ id }) => revoke.mutateAsync(id)}
      texts={{
        label: t('settings.title'),
        name: t('settings.name'),
        revoke: t('settings.revoke'),
        revokeNamed: name => t('settings.revokeNamed', { name }),
        revokeTitle: name => t('settings.revokeTitle', { name }),
        revokeConfirm: t('settings.revoke'),
        revokeText: t('settings.revokeText'),
      }}
    />
  );
}

/** Creates a key or token and shows its secret, which is shown only once. */
function CreateKeyDialog(props: { projectId: string; onClose(): void }) {
  const { projectId, onClose } = props;
  const { t } = useTranslationRef(analyticsTranslationRef);
  const { mutateAsync } = useCreateCredential(projectId);
  return (
    <CreateCredentialDialog<CredentialKind>
      onClose={onClose}
      kinds={[
        { id: 'capture', label: t('settings.captureHelp') },
        { id: 'query', label: t('settings.queryHelp') },
      ]}
      onCreate={wanted => mutateAsync(wanted)}
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

/** Shows SDK events that were dropped or are queued; renders nothing if there are none. */
function IngestionPanel({ projectId }: { projectId: string }) {
  const { t } = useTranslationRef(analyticsTranslationRef);
  const { data } = useIngestion(projectId);
  if (!data || (data.deferred === 0 && data.dropped.length === 0)) {
    return null;
  }
  return (
    <Panel title={t('ingestion.title')}>
      <Details
        items={[
          ...(data.deferred > 0
            ? [
                {
                  label: t('ingestion.deferred'),
                  value: data.deferred.toLocaleString('en'),
                },
              ]
            : []),
          ...data.dropped.map(({ reason, events, lastAt }) => ({
            label: t(`ingestion.reasons.${reason}`),
            value: (
              <>
                {events.toLocaleString('en')}, {t('ingestion.last')}{' '}
                <RelativeTime value={lastAt} />
              </>
            ),
          })),
        ]}
      />
    </Panel>
  );
}
