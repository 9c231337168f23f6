import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { CreateCredentialDialog, SendFailure } from '@slipway/app-react';
import type { CredentialKind } from '../../api/types';
import { useCreateCredential } from '../../data/useEvents';
import { analyticsTranslationRef } from '../../translation';

/** Makes a key or token and shows its secret, this once. */
export function CreateKeyDialog(props: { projectId: string; onClose(): void }) {
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
