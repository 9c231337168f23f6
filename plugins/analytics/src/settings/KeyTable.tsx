import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button } from '@backstage/ui';
import { CredentialTable } from '@slipway/app-react';
import { EmptyState, RelativeTime, StatusBadge } from '@slipway/design-system';
import type { Credential } from '../api/EventsApi';
import { useRevokeCredential } from '../projectQueries';
import { analyticsTranslationRef } from '../translation';
import { RotateKeyDialog } from './KeyDialogs';
import styles from '../analytics.module.css';

/** Lists project keys, and tokens without their secrets. */
export function KeyTable(props: {
  projectId: string;
  credentials: readonly Credential[];
  mayManage: boolean;
}) {
  const { projectId, credentials, mayManage } = props;
  const { t } = useTranslationRef(analyticsTranslationRef);
  const revoke = useRevokeCredential(projectId);
  const [rotated, setRotated] = useState<Credential>();
  const mayChange = ({ isConfigured }: Credential) =>
    mayManage && !isConfigured;
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
    <>
      <CredentialTable
        credentials={credentials}
        columns={[
          {
            id: 'kind',
            label: t('settings.kind'),
            cell: ({ kind }) => t(`settings.kinds.${kind}`),
            from: 'xs',
          },
          {
            id: 'secret',
            label: t('settings.secret'),
            cell: credential => (
              <code className={styles.value}>{shownKey(credential)}</code>
            ),
            from: 'sm',
          },
          {
            id: 'scopes',
            label: t('settings.scopes'),
            cell: ({ kind, scopes }) =>
              kind === 'query' &&
              (scopes
                ?.map(scope => t(`settings.scopeNames.${scope}`))
                .join(', ') ??
                t('settings.allScopes')),
            from: 'md',
          },
          {
            id: 'expires',
            label: t('settings.expires'),
            cell: ({ kind, expiresAt }) =>
              kind === 'query' && <Expiry at={expiresAt} />,
            from: 'md',
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
            from: 'lg',
          },
          {
            id: 'rotate',
            label: t('settings.rotate'),
            cell: credential =>
              mayChange(credential) &&
              !isExpired(credential.expiresAt) && (
                <Button
                  size="small"
                  variant="tertiary"
                  aria-label={t('settings.rotateNamed', {
                    name: credential.name,
                  })}
                  onPress={() => setRotated(credential)}
                >
                  {t('settings.rotate')}
                </Button>
              ),
          },
        ]}
        mayRevoke={mayChange}
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
      {rotated && (
        <RotateKeyDialog
          projectId={projectId}
          credential={rotated}
          onClose={() => setRotated(undefined)}
        />
      )}
    </>
  );
}

function shownKey({ kind, key, hint }: Credential): string {
  return key ?? `${kind === 'capture' ? 'phc_' : 'phx_'}…${hint}`;
}

function isExpired(at: string | undefined): boolean {
  return at !== undefined && Date.parse(at) <= Date.now();
}

function Expiry({ at }: { at: string | undefined }) {
  const { t } = useTranslationRef(analyticsTranslationRef);
  if (at === undefined) {
    return <span className={styles.quiet}>{t('settings.never')}</span>;
  }
  return isExpired(at) ? (
    <StatusBadge tone="warning" label={t('settings.expired')} />
  ) : (
    <RelativeTime value={at} />
  );
}
