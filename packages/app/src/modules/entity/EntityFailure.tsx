import type { CompoundEntityRef } from '@backstage/catalog-model';
import { useRouteRef, useTranslationRef } from '@backstage/frontend-plugin-api';
import catalogPlugin from '@backstage/plugin-catalog/alpha';
import { ButtonLink } from '@backstage/ui';
import { readFailedCall, useErrorWords } from '@slipway/app-react';
import {
  EmptyState,
  ErrorPanel,
  Page,
  PageHeader,
} from '@slipway/design-system';
import { kindName } from '../catalog/entityFacts';
import { entityTranslationRef } from './translation';

/**
 * Replaces the page of an entity that is not in the catalog or failed to load.
 *
 * @param props.failure - undefined if the entity is not in the catalog.
 */
export function EntityFailure(props: {
  entityRef: CompoundEntityRef;
  failure: { error: unknown; retry(): void } | undefined;
}) {
  const { failure } = props;
  const { kind, namespace, name } = props.entityRef;
  const { t } = useTranslationRef(entityTranslationRef);
  const catalogPage = useRouteRef(catalogPlugin.routes.catalogIndex);
  const errorWords = useErrorWords();
  const catalog = catalogPage?.() ?? '/';
  const isApi = kind.toLocaleLowerCase('en-US') === 'api';
  return (
    <Page
      header={
        <PageHeader
          title={name}
          description={t('page.description', {
            kind: kindName(isApi ? 'api' : kind),
            namespace,
          })}
          breadcrumbs={[{ label: t('page.catalog'), href: catalog }]}
        />
      }
    >
      {failure ? (
        <ErrorPanel
          title={t('page.failed', { name })}
          message={errorWords(failure.error)}
          requestId={readFailedCall(failure.error).requestId}
          onRetry={failure.retry}
        />
      ) : (
        <EmptyState
          title={t('page.missing')}
          description={t('page.missingText', {
            kind: isApi ? 'API' : kind,
            namespace,
            name,
          })}
          action={
            <>
              <ButtonLink variant="secondary" href={catalog}>
                {t('page.back')}
              </ButtonLink>
              <ButtonLink variant="tertiary" href="/catalog-import">
                {t('page.register')}
              </ButtonLink>
            </>
          }
        />
      )}
    </Page>
  );
}
