import { ReactNode, useCallback } from 'react';
import { ResponseError } from '@backstage/errors';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Alert } from '@backstage/ui';
import { EmptyState, ErrorPanel } from '@slipway/design-system';
import { useOptionalWords, useServiceWords } from '../pages/pagesOfService';
import { appReactTranslationRef } from '../translation';

/** What a failed call says of itself. */
export interface FailedCall {
  /** The HTTP status; undefined when no answer came. */
  status?: number;
  /** The server's own words, without their envelope; undefined when it said nothing readable. */
  message?: string;
  /** Id of the request, where the server sent one. */
  requestId?: string;
}

/** Reads a thrown value; one that is no failed call has nothing to say. */
export function readFailedCall(error: unknown): FailedCall {
  if (!(error instanceof ResponseError)) {
    return {};
  }
  const { message } = error.body.error ?? {};
  return {
    status: error.response.status,
    // What Backstage makes of an answer without a readable body.
    message: message?.startsWith('Request failed with status')
      ? undefined
      : message || undefined,
    requestId: error.response.headers?.get('x-request-id') ?? undefined,
  };
}

/** Tells whether the service answered that there is nothing by that name. */
export function isMissing(error: unknown): boolean {
  return readFailedCall(error).status === 404;
}

/** Tells whether the proxy got no answer, or the service cannot work. */
function isUnreachable(error: unknown): boolean {
  return [502, 503, 504].includes(readFailedCall(error).status ?? 0);
}

/** The words for answers that bring none of their own. */
const WORDS = {
  400: 'invalid',
  401: 'unauthenticated',
  403: 'forbidden',
  404: 'notFound',
  409: 'conflict',
  413: 'invalid',
  422: 'invalid',
  429: 'limited',
  502: 'unavailable',
  503: 'unavailable',
  504: 'unavailable',
} as const;

/**
 * Puts an error into words for its reader: the server's own where it said something about the
 * request, else what the status means.
 */
export function useErrorWords(): (error: unknown) => string {
  const { t } = useTranslationRef(appReactTranslationRef);
  const service = useOptionalWords()?.name ?? t('failure.portal');
  return useCallback(
    (error: unknown) => {
      const { status, message } = readFailedCall(error);
      if (status === undefined) {
        // What fetch throws when no answer came.
        return error instanceof TypeError
          ? t('failure.offline')
          : String(error instanceof Error ? error.message : error);
      }
      // A session that ended is nothing that the server's words about tokens explain.
      if (status !== 401 && message) {
        return message;
      }
      const kind = WORDS[status as keyof typeof WORDS] ?? 'unexpected';
      return t(`failure.${kind}`, { service });
    },
    [t, service],
  );
}

/**
 * Stands where something would be that could not be read, and says who can do something
 * about it: whoever gives access, whoever runs the service, or the reader.
 */
export function ReadFailure(props: {
  /** What did not work, e.g. "Couldn't load builds". */
  title: string;
  /** The thrown value. */
  error: unknown;
  /** What the reader can do about it. */
  advice?: ReactNode;
  onRetry?: () => void;
}) {
  const { title, error, advice, onRetry } = props;
  const { t } = useTranslationRef(appReactTranslationRef);
  const errorWords = useErrorWords();
  const service = useServiceWords();
  const { status, requestId } = readFailedCall(error);
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
        // The proxy's own words are an address that helps nobody.
        message={requestId && errorWords(error)}
        requestId={requestId}
        advice={t('failure.downAdvice', { endpoint: service.endpoint })}
        onRetry={onRetry}
      />
    );
  }
  return (
    <ErrorPanel
      title={title}
      message={errorWords(error)}
      requestId={requestId}
      advice={advice}
      onRetry={onRetry}
    />
  );
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
  const errorWords = useErrorWords();
  const { name: service } = useServiceWords();
  const { requestId } = readFailedCall(error);
  return (
    <div role="alert">
      <Alert
        status="danger"
        icon
        title={title}
        description={[
          isUnreachable(error)
            ? t('failure.downSend', { service })
            : errorWords(error),
          requestId && t('failure.request', { id: requestId }),
        ]
          .filter(Boolean)
          .join(' ')}
      />
    </div>
  );
}
