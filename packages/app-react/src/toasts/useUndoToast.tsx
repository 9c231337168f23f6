import {
  toastApiRef,
  useApi,
  useTranslationRef,
} from '@backstage/frontend-plugin-api';
import { Button } from '@slipway/design-system';
import { appReactTranslationRef } from '../translation';

const SHOWN_MS = 8_000;

/** Returns a function that briefly shows what was done, with an undo button. */
export function useUndoToast(): (title: string, undo: () => void) => void {
  const { t } = useTranslationRef(appReactTranslationRef);
  const toastApi = useApi(toastApiRef);
  return (title, undo) => {
    const toast = toastApi.post({
      title,
      description: (
        <Button
          size="small"
          variant="secondary"
          onPress={() => {
            toast.close();
            undo();
          }}
        >
          {t('undo')}
        </Button>
      ),
      status: 'success',
      timeout: SHOWN_MS,
    });
  };
}
