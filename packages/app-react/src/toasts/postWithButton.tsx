import type { ToastApi } from '@backstage/frontend-plugin-api';
import { Button } from '@slipway/design-system';

/** Shows a toast with a button, which closes the toast and then acts. */
export function postWithButton(
  toasts: ToastApi,
  toast: Omit<Parameters<ToastApi['post']>[0], 'description'>,
  button: { label: string; onPress: () => void },
): void {
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
}
