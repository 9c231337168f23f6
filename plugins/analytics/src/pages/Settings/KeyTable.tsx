import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { CredentialTable } from '@slipway/app-react';
import { EmptyState, RelativeTime } from '@slipway/design-system';
import type { Credential } from '../../api/types';
import { useRevokeCredential } from '../../data/useEvents';
import { analyticsTranslationRef } from '../../translation';

/** Keys and tokens without their secrets. */
export function KeyTable(props: {
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
          wideOnly: true,
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
          wideOnly: true,
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
