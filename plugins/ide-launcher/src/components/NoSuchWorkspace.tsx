import { useRouteRef, useTranslationRef } from '@backstage/frontend-plugin-api';
import { ButtonLink } from '@backstage/ui';
import { EmptyState, Page, PageHeader } from '@slipway/design-system';
import { rootRouteRef } from '../routes';
import { ideLauncherTranslationRef } from '../translation';

/** Stands in the place of a workspace that is gone, or is somebody else's, and leads back to the list. */
export function NoSuchWorkspace(props: { workspaceId: string }) {
  const { t } = useTranslationRef(ideLauncherTranslationRef);
  const listPath = useRouteRef(rootRouteRef)?.();
  return (
    <Page
      header={
        <PageHeader
          title={t('workspace.notFoundTitle')}
          breadcrumbs={[{ label: t('list.title'), href: listPath ?? '' }]}
        />
      }
    >
      <EmptyState
        title={t('workspace.notFoundTitle')}
        description={t('workspace.notFoundDescription', {
          id: props.workspaceId,
        })}
        action={
          <ButtonLink href={listPath} variant="primary">
            {t('action.showAll')}
          </ButtonLink>
        }
      />
    </Page>
  );
}
