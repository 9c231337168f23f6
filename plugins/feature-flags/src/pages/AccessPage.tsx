import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button } from '@backstage/ui';
import { CredentialTable, Loaded, readFailedCall } from '@slipway/app-react';
import {
  EmptyState,
  LoadingRows,
  Panel,
  RelativeTime,
  StatusBadge,
} from '@slipway/design-system';
import type { ApiToken } from '../api/tokens';
import {
  useDeleteToken,
  useTokens,
  useMayChange,
  useUser,
} from '../queries/access';
import { flagsTranslationRef } from '../translation';
import { ConnectGuide } from './ConnectGuide';
import { CreateTokenDialog, RotateTokenDialog } from './TokenDialogs';
import styles from './AccessPage.module.css';

/** Tokens, and instructions for connecting an application. */
export function AccessPage() {
  const { t } = useTranslationRef(flagsTranslationRef);
  const { data: user } = useUser();
  const query = useTokens();
  const [isCreating, setIsCreating] = useState(false);
  const isDenied = readFailedCall(query.error).status === 403;
  return (
    <div className={styles.stack}>
      <Panel
        title={t('access.title')}
        padded={!query.data}
        action={
          user?.mayChange && (
            <Button
              size="small"
              variant="secondary"
              onPress={() => setIsCreating(true)}
            >
              {t('access.create')}
            </Button>
          )
        }
      >
        {isDenied ? (
          <EmptyState
            title={t('access.deniedTitle')}
            description={t('access.deniedDescription', {
              groups: user?.admins.join(', ') ?? '',
            })}
          />
        ) : (
          <Loaded
            query={query}
            failed={t('access.failed')}
            loading={<LoadingRows label={t('access.loading')} rows={3} />}
          >
            {tokens => <TokenTable tokens={tokens} />}
          </Loaded>
        )}
      </Panel>
      <ConnectGuide />
      {isCreating && <CreateTokenDialog onClose={() => setIsCreating(false)} />}
    </div>
  );
}

/** A table of tokens, without their secrets. */
function TokenTable({ tokens }: { tokens: readonly ApiToken[] }) {
  const { t } = useTranslationRef(flagsTranslationRef);
  const mayChange = useMayChange();
  const remove = useDeleteToken();
  const [rotated, setRotated] = useState<ApiToken>();
  return (
    <>
      <CredentialTable
        credentials={tokens.map(token => ({ ...token, name: token.tokenName }))}
        // These columns have fixed widths, so that the name gets the rest.
        columns={[
          {
            id: 'kind',
            label: t('access.kind'),
            cell: ({ type }) => t(`access.type.${type}`),
            width: 96,
            from: 'xs',
          },
          {
            id: 'project',
            label: t('access.project'),
            cell: ({ projects }) =>
              projects.includes('*')
                ? t('access.allProjects')
                : projects.join(', '),
            width: 128,
            from: 'md',
          },
          {
            id: 'environment',
            label: t('access.environment'),
            cell: ({ environment }) =>
              environment === '*' ? t('access.allEnvironments') : environment,
            width: 136,
            from: 'md',
          },
          {
            id: 'expiry',
            label: t('access.expiry'),
            cell: ({ expiresAt, createdAt }) =>
              createdAt === null ? (
                t('access.configured')
              ) : (
                <Expiry expiresAt={expiresAt} />
              ),
            width: 144,
            from: 'lg',
          },
          {
            id: 'used',
            label: t('access.used'),
            width: 128,
            cell: ({ lastUsedAt }) =>
              lastUsedAt ? (
                <RelativeTime value={lastUsedAt} />
              ) : (
                t('access.unused')
              ),
            from: 'lg',
          },
          {
            id: 'rotate',
            label: t('access.rotate'),
            hidesLabel: true,
            width: 96,
            cell: token =>
              mayChange &&
              token.createdAt !== null &&
              !hasExpired(token) && (
                <Button
                  size="small"
                  variant="tertiary"
                  aria-label={t('access.rotateNamed', { name: token.name })}
                  onPress={() => setRotated(token)}
                >
                  {t('access.rotate')}
                </Button>
              ),
          },
        ]}
        // Configured tokens can only be revoked in the configuration.
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
      {rotated && (
        <RotateTokenDialog
          token={rotated}
          onClose={() => setRotated(undefined)}
        />
      )}
    </>
  );
}

function Expiry({ expiresAt }: { expiresAt: string | undefined }) {
  const { t } = useTranslationRef(flagsTranslationRef);
  if (expiresAt === undefined) {
    return <>{t('access.never')}</>;
  }
  return hasExpired({ expiresAt }) ? (
    <StatusBadge tone="warning" label={t('access.expired')} />
  ) : (
    <RelativeTime value={expiresAt} />
  );
}

function hasExpired({ expiresAt }: Pick<ApiToken, 'expiresAt'>): boolean {
  return expiresAt !== undefined && Date.parse(expiresAt) <= Date.now();
}
