import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button } from '@backstage/ui';
import { ReadFailure, readFailedCall } from '@slipway/app-react';
import { EmptyState, LoadingRows, Panel } from '@slipway/design-system';
import { useTokens, useUser } from '../../data/useFlags';
import { flagsTranslationRef } from '../../translation';
import { ConnectGuide } from './ConnectGuide';
import { CreateTokenDialog } from './CreateTokenDialog';
import { TokenTable } from './TokenTable';
import styles from './Access.module.css';

/** How applications reach the flags: tokens, and what to write into an application. */
export function AccessPage() {
  const { t } = useTranslationRef(flagsTranslationRef);
  const { data: user } = useUser();
  const { data, error, isPending, refetch } = useTokens();
  const [isCreating, setIsCreating] = useState(false);
  const isDenied = readFailedCall(error).status === 403;
  return (
    <div className={styles.stack}>
      <Panel
        title={t('access.title')}
        padded={!data}
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
        {isPending && <LoadingRows label={t('access.loading')} rows={3} />}
        {isDenied && (
          <EmptyState
            title={t('access.deniedTitle')}
            description={t('access.deniedDescription', {
              groups: user?.admins.join(', ') ?? '',
            })}
          />
        )}
        {error && !data && !isDenied && (
          <ReadFailure
            title={t('access.failed')}
            error={error}
            onRetry={() => refetch()}
          />
        )}
        {data && <TokenTable tokens={data} />}
      </Panel>
      <ConnectGuide />
      {isCreating && <CreateTokenDialog onClose={() => setIsCreating(false)} />}
    </div>
  );
}
