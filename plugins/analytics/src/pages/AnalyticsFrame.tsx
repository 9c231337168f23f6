import { useRouteRef, useTranslationRef } from '@backstage/frontend-plugin-api';
import { Select } from '@backstage/ui';
import { ReadFailure } from '@slipway/app-react';
import {
  EmptyState,
  LoadingRows,
  Page,
  PageHeader,
} from '@slipway/design-system';
import { Outlet, useLocation } from 'react-router-dom';
import { useProject } from '../data/useProject';
import { queryRouteRef, rootRouteRef, settingsRouteRef } from '../routes';
import { analyticsTranslationRef } from '../translation';

/** Header, tabs and choice of the project of every page. */
export function AnalyticsFrame() {
  const { t } = useTranslationRef(analyticsTranslationRef);
  const root = useRouteRef(rootRouteRef)?.() ?? '';
  const query = useRouteRef(queryRouteRef)?.() ?? '';
  const settings = useRouteRef(settingsRouteRef)?.() ?? '';
  const { pathname } = useLocation();
  const { list, project, choose, search } = useProject();
  const tabs = [
    { id: 'live', label: t('page.live'), href: root + search },
    { id: 'query', label: t('page.query'), href: query + search },
    { id: 'settings', label: t('page.settings'), href: settings + search },
  ];
  const below = pathname.slice(root.length).split('/')[1];
  return (
    <Page
      header={
        <PageHeader
          title={t('page.title')}
          description={t('page.description')}
          action={
            project && (
              <Select
                size="small"
                aria-label={t('page.project')}
                value={project.id}
                onChange={id => choose(String(id))}
                options={(list.data?.projects ?? []).map(({ id, name }) => ({
                  value: id,
                  label: name,
                }))}
              />
            )
          }
          tabs={tabs}
          activeTab={tabs.find(({ id }) => id === below)?.id ?? 'live'}
        />
      }
    >
      {list.isPending && <LoadingRows label={t('page.loading')} rows={6} />}
      {list.error && !list.data && (
        <ReadFailure
          title={t('page.failed')}
          error={list.error}
          onRetry={() => list.refetch()}
        />
      )}
      {list.data && !project && (
        <EmptyState
          title={t('page.emptyTitle')}
          description={t('page.emptyDescription')}
        />
      )}
      {project && <Outlet />}
    </Page>
  );
}
