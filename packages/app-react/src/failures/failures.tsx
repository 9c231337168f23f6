import { ReactNode, useCallback } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Alert } from '@backstage/ui';
import { Button, EmptyState, ErrorPanel } from '@slipway/design-system';
import { useServiceWords } from '../pages/pagesOfService';
import { appReactTranslationRef } from '../translation';
import { isUnreachable, readFailedCall } from './failedCall';

/** Fallback messages for responses without a message. */
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
 * Returns a function that describes an error to the user: with the server's own message if it is
 * about the request, otherwise with the meaning of the status.
 */
export function useErrorWords(): (error: unknown) => string {
  const { t } = useTranslationRef(appReactTranslationRef);
  const service = useServiceName();
  return useCallback(
    (error: unknown) => {
      const { status, message } = readFailedCall(error);
      if (status === undefined) {
        // Thrown by fetch if there was no response.
        return error instanceof TypeError
          ? t('failure.offline')
          : String(error instanceof Error ? error.message : error);
      }
      // For an expired session, the server's message about tokens does not help.
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
 * Returns the service's name for the start of a sentence; outside of a service, that of the portal.
 */
function useServiceName(): string {
  const { t } = useTranslationRef(appReactTranslationRef);
  return useServiceWords()?.name ?? t('failure.portal');
}

/**
 * Replaces content that could not be loaded, and explains who can fix it: a person who grants
 * access, the operator of the service, or the user.
 */
export function ReadFailure(props: {
  /** Title of the failure, e.g. "Couldn't load builds". */
  title: string;
  /** The thrown value. */
  error: unknown;
  /** Advice for the user. */
  advice?: ReactNode;
  onRetry?: () => void;
}) {
  const { title, error, advice, onRetry } = props;
  const { t } = useTranslationRef(appReactTranslationRef);
  const errorWords = useErrorWords();
  const service = useServiceWords();
  const { status, requestId } = readFailedCall(error);
  // Some services reject the tokens of the portal; the portal itself rejects only sessions that have ended.
  const hasEnded = status === 401 && !service?.endpoint;
  if (service && !hasEnded && (status === 401 || status === 403)) {
    return (
      <EmptyState
        title={t('failure.denied', { data: service.data })}
        description={service.access}
      />
    );
  }
  if (service?.endpoint && isUnreachable(error)) {
    return (
      <ErrorPanel
        title={t('failure.down', { service: service.name })}
        // The proxy's own message is only an address, which does not help.
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
      advice={hasEnded ? <SignInAgain /> : advice}
      onRetry={onRetry}
    />
  );
}

/** A button that reloads the page, which continues the session or shows the sign-in page. */
function SignInAgain() {
  const { t } = useTranslationRef(appReactTranslationRef);
  return (
    <Button
      size="small"
      variant="secondary"
      onPress={() => window.location.reload()}
    >
      {t('failure.signIn')}
    </Button>
  );
}

/** Shown above a form that could not be submitted; the form keeps its input. */
export function SendFailure(props: {
  /** Title of the failure, e.g. "The job was not run". */
  title: string;
  /** The thrown value. */
  error: unknown;
}) {
  const { title, error } = props;
  const { t } = useTranslationRef(appReactTranslationRef);
  const errorWords = useErrorWords();
  const service = useServiceName();
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
