import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button } from '@backstage/ui';
import { Loaded } from '@slipway/app-react';
import { LoadingRows, Panel } from '@slipway/design-system';
import { useCredentials, useProject } from '../projectQueries';
import { CreateKeyDialog } from '../settings/KeyDialogs';
import { KeyTable } from '../settings/KeyTable';
import { ProjectPanel } from '../settings/ProjectPanel';
import { TestAccountsPanel } from '../testAccounts/TestAccountsPanel';
import { analyticsTranslationRef } from '../translation';
import styles from '../analytics.module.css';

/** Shows a project with its keys and tokens, and lets admins change them. */
export function SettingsPage() {
  const { t } = useTranslationRef(analyticsTranslationRef);
  const { list, project } = useProject();
  const query = useCredentials(project?.id);
  const [isCreating, setIsCreating] = useState(false);
  const mayManage = list.data?.mayManage ?? false;
  return (
    <div className={styles.stack}>
      {project && <ProjectPanel project={project} mayManage={mayManage} />}
      {project && <TestAccountsPanel project={project} mayManage={mayManage} />}
      <Panel
        title={t('settings.title')}
        padded={!query.data}
        action={
          mayManage && (
            <Button
              size="small"
              variant="primary"
              onPress={() => setIsCreating(true)}
            >
              {t('settings.create')}
            </Button>
          )
        }
      >
        <Loaded
          query={query}
          failed={t('settings.failed')}
          loading={<LoadingRows label={t('settings.loading')} rows={3} />}
        >
          {credentials =>
            project && (
              <KeyTable
                projectId={project.id}
                credentials={credentials}
                mayManage={mayManage}
              />
            )
          }
        </Loaded>
      </Panel>
      {!mayManage && <p className={styles.text}>{t('settings.denied')}</p>}
      {isCreating && project && (
        <CreateKeyDialog
          projectId={project.id}
          onClose={() => setIsCreating(false)}
        />
      )}
    </div>
  );
}
