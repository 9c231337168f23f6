import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { ButtonLink } from '@backstage/ui';
import { EmptyState, Page, PageHeader } from '@slipway/design-system';
import { useParams } from 'react-router-dom';
import { appTranslationRef } from '../../translation';

/** Shown at a URL without a page, and on the page of an entity at a URL without a tab. */
export function NotFoundPage() {
  const { t } = useTranslationRef(appTranslationRef);
  const { kind, namespace, name } = useParams();
  const content = (
    <EmptyState
      title={t('notFound.heading')}
      description={t('notFound.description')}
      action={
        <ButtonLink href="/" variant="secondary">
          {t('notFound.home')}
        </ButtonLink>
      }
    />
  );
  // The page of an entity has a header already.
  return kind && namespace && name ? (
    content
  ) : (
    <Page header={<PageHeader title={t('notFound.title')} />}>{content}</Page>
  );
}
