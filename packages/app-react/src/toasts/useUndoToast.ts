import {
  toastApiRef,
  useApi,
  useTranslationRef,
} from '@backstage/frontend-plugin-api';
import { appReactTranslationRef } from '../translation';
import { postWithButton } from './postWithButton';

const SHOWN_MS = 8_000;

/** Returns a function that briefly shows what was done, with an undo button. */
export function useUndoToast(): (title: string, undo: () => void) => void {
  const { t } = useTranslationRef(appReactTranslationRef);
  const toastApi = useApi(toastApiRef);
  return (title, undo) =>
    postWithButton(
      toastApi,
      { title, status: 'success', timeout: SHOWN_MS },
      { label: t('undo'), onPress: undo },
    );
}
