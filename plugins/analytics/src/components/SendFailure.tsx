import { ResponseError } from '@backstage/errors';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Alert } from '@backstage/ui';
import { describeError } from '@slipway/design-system';
import { analyticsTranslationRef } from '../translation';

/** Above a form whose content could not be sent; what was written stays. */
export function SendFailure(props: { title: string; error: unknown }) {
  const { title, error } = props;
  const { t } = useTranslationRef(analyticsTranslationRef);
  const isDown =
    error instanceof ResponseError &&
    [502, 503, 504].includes(error.response.status);
  const { message, requestId } = describeError(error);
  return (
    <div role="alert">
      <Alert
        status="danger"
        icon
        title={title}
        description={[
          isDown ? t('failure.downSend') : message,
          requestId && t('failure.request', { id: requestId }),
        ]
          .filter(Boolean)
          .join(' ')}
      />
    </div>
  );
}
