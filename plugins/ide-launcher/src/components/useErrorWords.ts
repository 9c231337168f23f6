import { useCallback } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { IdeLauncherError } from '../api/IdeLauncherError';
import { ideLauncherTranslationRef } from '../translation';

/**
 * Puts an error into words for its reader: the server's own where it said something about the
 * request, else what the kind of failure means.
 */
export function useErrorWords(): (error: unknown) => string {
  const { t } = useTranslationRef(ideLauncherTranslationRef);
  return useCallback(
    (error: unknown) => {
      if (!(error instanceof IdeLauncherError)) {
        return t('error.unexpected');
      }
      // A session that ended is nothing that the server's words about tokens explain.
      if (error.kind === 'unauthenticated' || !error.detail) {
        return t(`error.${error.kind}`);
      }
      return error.detail;
    },
    [t],
  );
}
