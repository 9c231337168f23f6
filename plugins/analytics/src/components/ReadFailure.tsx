import { ResponseError } from '@backstage/errors';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { EmptyState, ErrorPanel, describeError } from '@slipway/design-system';
import { analyticsTranslationRef } from '../translation';

/** Stands where something would be that could not be read or sent, and says whose turn it is. */
export function ReadFailure(props: {
  title: string;
  error: unknown;
  onRetry?: () => void;
}) {
  const { title, error, onRetry } = props;
  const { t } = useTranslationRef(analyticsTranslationRef);
  const status = statusOf(error);
  if (status === 401 || status === 403) {
    return (
      <EmptyState
        title={t('failure.deniedTitle')}
        description={t('failure.deniedDescription')}
      />
    );
  }
  if (isUnreachable(error)) {
    return (
      <ErrorPanel
        title={t('failure.downTitle')}
        // Of the proxy alone it is an address that helps nobody.
        error={describeError(error).requestId ? error : undefined}
        advice={t('failure.downAdvice')}
        onRetry={onRetry}
      />
    );
  }
  return <ErrorPanel title={title} error={error} onRetry={onRetry} />;
}

function statusOf(error: unknown): number | undefined {
  return error instanceof ResponseError ? error.response.status : undefined;
}

/** The proxy had no answer to hand on, or the service cannot work. */
function isUnreachable(error: unknown): boolean {
  return [502, 503, 504].includes(statusOf(error) ?? 0);
}
