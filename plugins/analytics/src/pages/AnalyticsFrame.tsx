import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button, Select } from '@backstage/ui';
import { Loaded, type PageFrameProps } from '@slipway/app-react';
import {
  EmptyState,
  LoadingRows,
  Page,
  PageHeader,
} from '@slipway/design-system';
import { useKeepProject, useProject } from '../projectQueries';
import { CreateProjectDialog } from '../settings/ProjectDialogs';
import { analyticsTranslationRef } from '../translation';
import { HeaderPlace } from './HeaderAction';
import styles from '../analytics.module.css';

/** Renders the header above the tabs, with the selected project, which applies to all tabs. */
export function AnalyticsFrame({ children, ...header }: PageFrameProps) {
  const { t } = useTranslationRef(analyticsTranslationRef);
  const { list, project, choose, search } = useProject();
  const [isCreating, setIsCreating] = useState(false);
  const [place, setPlace] = useState<HTMLElement | null>(null);
  useKeepProject();
  return (
    <Page
      header={
        <PageHeader
          {...header}
          tabs={header.tabs.map(tab => ({
            ...tab,
            href: tab.href + search,
          }))}
          description={t('page.description')}
          action={
            project && (
              <>
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
                <span ref={setPlace} className={styles.headerPlace} />
              </>
            )
          }
        />
      }
    >
      <Loaded
        query={list}
        failed={t('page.failed')}
        loading={<LoadingRows label={t('page.loading')} rows={6} />}
      >
        {() =>
          project ? (
            <HeaderPlace.Provider value={place}>
              {children}
            </HeaderPlace.Provider>
          ) : (
            <EmptyState
              title={t('page.emptyTitle')}
              description={t('page.emptyDescription')}
              action={
                list.data?.mayManage && (
                  <Button variant="primary" onPress={() => setIsCreating(true)}>
                    {t('project.create')}
                  </Button>
                )
              }
            />
          )
        }
      </Loaded>
      {isCreating && (
        <CreateProjectDialog
          onClose={() => setIsCreating(false)}
          onCreated={choose}
        />
      )}
    </Page>
  );
}
