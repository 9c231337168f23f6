import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button } from '@backstage/ui';
import {
  CreateCredentialDialog,
  CredentialTable,
  Loaded,
  readFailedCall,
  SendFailure,
} from '@slipway/app-react';
import {
  EmptyState,
  LoadingRows,
  Panel,
  RelativeTime,
} from '@slipway/design-system';
import type { ApiToken, TokenType } from '../api/FlagsApi';
import { useCreateToken, useDeleteToken, useTokens, useUser } from '../queries';
import { flagsTranslationRef } from '../translation';
import { ConnectGuide } from './ConnectGuide';
import styles from './AccessPage.module.css';

/** How applications reach the flags: tokens, and what to write into an application. */
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
              variant="primary"
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

/** Tokens without their secrets. */
function TokenTable({ tokens }: { tokens: readonly ApiToken[] }) {
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
          from: 'sm',
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
          from: 'sm',
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

/** Makes a token and shows its secret, this once. */
function CreateTokenDialog({ onClose }: { onClose(): void }) {
  const { t } = useTranslationRef(flagsTranslationRef);
  const { mutateAsync } = useCreateToken();
  return (
    <CreateCredentialDialog<TokenType>
      onClose={onClose}
      kinds={[
        { id: 'client', label: t('access.clientHelp') },
        { id: 'frontend', label: t('access.frontendHelp') },
        { id: 'admin', label: t('access.adminHelp') },
      ]}
      onCreate={async ({ name, kind }) => {
        const { secret } = await mutateAsync({ tokenName: name, type: kind });
        return secret;
      }}
      renderFailure={error => (
        <SendFailure title={t('access.createFailed')} error={error} />
      )}
      texts={{
        create: t('access.create'),
        name: t('access.name'),
        nameHelp: t('access.nameHelp'),
        nameMissing: t('access.nameMissing'),
        kind: t('access.kind'),
        madeTitle: name => t('access.madeTitle', { name }),
        madeText: t('access.madeText'),
        copy: t('access.copy'),
        done: t('access.done'),
      }}
    />
  );
}
