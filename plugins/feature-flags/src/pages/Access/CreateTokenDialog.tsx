import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { CreateCredentialDialog, SendFailure } from '@slipway/app-react';
import type { TokenType } from '../../api/types';
import { useCreateToken } from '../../data/useChanges';
import { flagsTranslationRef } from '../../translation';

/** Makes a token and shows its secret, this once. */
export function CreateTokenDialog({ onClose }: { onClose(): void }) {
  const { t } = useTranslationRef(flagsTranslationRef);
  const { mutateAsync } = useCreateToken();
  return (
    <CreateCredentialDialog<TokenType>
      onClose={onClose}
      kinds={[
        { id: 'client', label: t('access.clientHelp') },
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
