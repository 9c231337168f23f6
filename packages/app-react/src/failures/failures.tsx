import { ResponseError } from '@backstage/errors';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Alert } from '@backstage/ui';
import { EmptyState, ErrorPanel, describeError } from '@slipway/design-system';
import { useServiceWords } from '../pages/pagesOfService';
import { appReactTranslationRef } from '../translation';

/**
 * Stands where something would be that could not be read, and says who can do something
 * about it: whoever gives access, whoever runs the service, or the reader.
 */
export function ReadFailure(props: {
  /** What did not work, e.g. "The builds could not be read". */
  title: string;
  /** The thrown value. */
  error: unknown;
  onRetry?: () => void;
}) {
  const { title, error, onRetry } = props;
  const { t } = useTranslationRef(appReactTranslationRef);
  const service = useServiceWords();
  const status = statusOf(error);
  if (status === 401 || status === 403) {
    return (
      <EmptyState
        title={t('failure.denied', { data: service.data })}
        description={service.access}
      />
    );
  }
  if (isUnreachable(error) && service.endpoint) {
    return (
      <ErrorPanel
        title={t('failure.down', { service: service.name })}
        // Of the proxy alone it is an address that helps nobody.
        error={describeError(error).requestId ? error : undefined}
        advice={t('failure.downAdvice', { endpoint: service.endpoint })}
        onRetry={onRetry}
      />
    );
  }
  return <ErrorPanel title={title} error={error} onRetry={onRetry} />;
}

/** Stands above a form whose content could not be sent; what was written stays. */
export function SendFailure(props: {
  /** What was not done, e.g. "The job was not run". */
  title: string;
  /** The thrown value. */
  error: unknown;
}) {
  const { title, error } = props;
  const { t } = useTranslationRef(appReactTranslationRef);
  const { name: service } = useServiceWords();
  const { message, requestId } = describeError(error);
  return (
    <div role="alert">
      <Alert
        status="danger"
        icon
        title={title}
        description={[
          isUnreachable(error) ? t('failure.downSend', { service }) : message,
          requestId && t('failure.request', { id: requestId }),
        ]
          .filter(Boolean)
          .join(' ')}
      />
    </div>
  );
}

/** Tells whether the service answered that there is nothing by that name. */
export function isMissing(error: unknown): boolean {
  return statusOf(error) === 404;
}

/** Reads the HTTP status out of an error; undefined where no answer came. */
function statusOf(error: unknown): number | undefined {
  return error instanceof ResponseError ? error.response.status : undefined;
}

/** Tells whether the proxy got no answer, or the service cannot work. */
function isUnreachable(error: unknown): boolean {
  return [502, 503, 504].includes(statusOf(error) ?? 0);
}
