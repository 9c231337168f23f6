import { ResponseError } from '@backstage/errors';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Link } from '@backstage/ui';
import { EmptyState, ErrorPanel, describeError } from '@slipway/design-system';
import { useLinks } from '../data/useLinks';
import { buildsTranslationRef } from '../translation';

/** Stands where something would be that could not be read, and says whose turn it is. */
export function ReadFailure(props: {
  title: string;
  error: unknown;
  onRetry(): void;
}) {
  const { title, error, onRetry } = props;
  const { t } = useTranslationRef(buildsTranslationRef);
  const links = useLinks();
  if (isMissing(error)) {
    return (
      <EmptyState
        title={t('failure.missingTitle')}
        description={t('failure.missingDescription')}
        action={<Link href={links.jobs}>{t('failure.missingAction')}</Link>}
      />
    );
  }
  if ([401, 403].includes(statusOf(error) ?? 0)) {
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

/** Whether the server says that there is nothing by that name. */
export function isMissing(error: unknown): boolean {
  return statusOf(error) === 404;
}

/** The proxy had no answer to hand on, or the service cannot work. */
export function isUnreachable(error: unknown): boolean {
  return [502, 503, 504].includes(statusOf(error) ?? 0);
}

function statusOf(error: unknown): number | undefined {
  return error instanceof ResponseError ? error.response.status : undefined;
}
