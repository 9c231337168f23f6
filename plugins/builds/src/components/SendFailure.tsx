import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Alert } from '@backstage/ui';
import { describeError } from '@slipway/design-system';
import { buildsTranslationRef } from '../translation';
import { isUnreachable } from './ReadFailure';

/** Says that something was not done, and why. */
export function SendFailure({
  title,
  error,
}: {
  title: string;
  error: unknown;
}) {
  const { t } = useTranslationRef(buildsTranslationRef);
  const { message, requestId } = describeError(error);
  return (
    <div role="alert">
      <Alert
        status="danger"
        icon
        title={title}
        description={[
          isUnreachable(error) ? t('failure.downSend') : message,
          requestId && t('failure.request', { id: requestId }),
        ]
          .filter(Boolean)
          .join(' ')}
      />
    </div>
  );
}
