import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { ButtonLink } from '@backstage/ui';
import { EmptyState, Page, PageHeader } from '@slipway/design-system';
import { appTranslationRef } from '../../translation';

/** Shown at a URL without a page. */
export function NotFoundPage() {
  const { t } = useTranslationRef(appTranslationRef);
  return (
    <Page header={<PageHeader title={t('notFound.title')} />}>
      <EmptyState
        title={t('notFound.heading')}
        description={t('notFound.description')}
        action={
          <ButtonLink href="/" variant="secondary">
            {t('notFound.home')}
          </ButtonLink>
        }
      />
    </Page>
  );
}
