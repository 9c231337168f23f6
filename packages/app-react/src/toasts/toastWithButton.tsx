import {
  type ToastApi,
  toastApiRef,
  useApi,
  useTranslationRef,
} from '@backstage/frontend-plugin-api';
import { Button } from '@slipway/design-system';
import { appReactTranslationRef } from '../translation';

/** Time for which a toast without a button is shown, in milliseconds. */
export const TOAST_MS = 6_000;
/** Time in which the user can undo, in milliseconds. */
export const UNDO_MS = 10_000;

/**
 * Shows a toast with a button, which closes the toast and then acts.
 *
 * @returns the toast, which the caller can close.
 */
export function postWithButton(
  toasts: ToastApi,
  toast: Omit<Parameters<ToastApi['post']>[0], 'description'>,
  button: { label: string; onPress: () => void },
): { close(): void } {
  const shown = toasts.post({
    ...toast,
    description: (
      <Button
        size="small"
        variant="secondary"
        onPress={() => {
          shown.close();
          button.onPress();
        }}
      >
        {button.label}
      </Button>
    ),
  });
  return shown;
}

/** Returns a function that briefly shows what was done, with an undo button. */
export function useUndoToast(): (title: string, undo: () => void) => void {
  const { t } = useTranslationRef(appReactTranslationRef);
  const toastApi = useApi(toastApiRef);
  return (title, undo) =>
    postWithButton(
      toastApi,
      { title, status: 'success', timeout: UNDO_MS },
      { label: t('action.undo'), onPress: undo },
    );
}
