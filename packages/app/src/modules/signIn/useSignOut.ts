import {
  identityApiRef,
  toastApiRef,
  useApi,
  useTranslationRef,
} from '@backstage/frontend-plugin-api';
import { useErrorWords } from '@slipway/app-react';
import { appTranslationRef } from '../../translation';

/** Returns a function that signs the user out, or says why that failed. */
export function useSignOut(): () => void {
  const { t } = useTranslationRef(appTranslationRef);
  const identityApi = useApi(identityApiRef);
  const toastApi = useApi(toastApiRef);
  const errorWords = useErrorWords();
  return () =>
    void identityApi.signOut().catch((error: unknown) =>
      toastApi.post({
        title: t('user.signOutFailed'),
        description: errorWords(error),
        status: 'danger',
      }),
    );
}
