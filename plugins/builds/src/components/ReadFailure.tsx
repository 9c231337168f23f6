import { ResponseError } from '@backstage/errors';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Link } from '@backstage/ui';
import { EmptyState, ServiceFailure } from '@slipway/design-system';
import { useLinks } from '../data/useLinks';
import { buildsTranslationRef } from '../translation';

/** Stands where something would be that could not be read, and says whose turn it is. */
export function ReadFailure(props: {
  title: string;
  error: unknown;
  onRetry(): void;
}) {
  const { error } = props;
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
  return (
    <ServiceFailure
      {...props}
      texts={{
        deniedTitle: t('failure.deniedTitle'),
        deniedDescription: t('failure.deniedDescription'),
        downTitle: t('failure.downTitle'),
        downAdvice: t('failure.downAdvice'),
      }}
    />
  );
}

/** Whether the server says that there is nothing by that name. */
export function isMissing(error: unknown): boolean {
  return error instanceof ResponseError && error.response.status === 404;
}
