import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { CredentialTable } from '@slipway/app-react';
import { RelativeTime } from '@slipway/design-system';
import type { ApiToken } from '../../api/types';
import { useDeleteToken } from '../../data/useChanges';
import { flagsTranslationRef } from '../../translation';

/** Tokens without their secrets. */
export function TokenTable({ tokens }: { tokens: readonly ApiToken[] }) {
  const { t } = useTranslationRef(flagsTranslationRef);
  const remove = useDeleteToken();
  return (
    <CredentialTable
      credentials={tokens.map(token => ({ ...token, name: token.tokenName }))}
      columns={[
        {
          id: 'kind',
          label: t('access.kind'),
          cell: ({ type }) => t(`access.type.${type}`),
        },
        {
          id: 'scope',
          label: t('access.scope'),
          cell: ({ projects, environment }) =>
            `${projects.join(', ')} : ${environment}`,
          wideOnly: true,
        },
        {
          id: 'made',
          label: t('access.made'),
          cell: ({ createdAt }) =>
            createdAt === null ? (
              t('access.configured')
            ) : (
              <RelativeTime value={createdAt} />
            ),
          wideOnly: true,
        },
      ]}
      // Those of the configuration are taken back there.
      mayRevoke={({ createdAt }) => createdAt !== null}
      onRevoke={({ id }) => remove.mutateAsync(id)}
      texts={{
        label: t('access.title'),
        name: t('access.name'),
        revoke: t('access.remove'),
        revokeNamed: name => t('access.removeNamed', { name }),
        revokeTitle: name => t('access.removeTitle', { name }),
        revokeConfirm: t('access.removeConfirm'),
        revokeText: t('access.removeText'),
      }}
    />
  );
}
