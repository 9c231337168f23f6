import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Link } from '@backstage/ui';
import { ReadFailure, isMissing } from '@slipway/app-react';
import { EmptyState } from '@slipway/design-system';
import { useLinks } from '../data/useLinks';
import { buildsTranslationRef } from '../translation';

/** Stands where a job or build would be that could not be read, or that is not there. */
export function JobFailure(props: {
  title: string;
  error: unknown;
  onRetry(): void;
}) {
  const { t } = useTranslationRef(buildsTranslationRef);
  const links = useLinks();
  if (isMissing(props.error)) {
    return (
      <EmptyState
        title={t('failure.missingTitle')}
        description={t('failure.missingDescription')}
        action={<Link href={links.jobs}>{t('failure.missingAction')}</Link>}
      />
    );
  }
  return <ReadFailure {...props} />;
}
