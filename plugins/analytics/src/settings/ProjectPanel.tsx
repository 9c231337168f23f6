import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button } from '@backstage/ui';
import { CodeLine, Details, Panel } from '@slipway/design-system';
import { Link } from 'react-router-dom';
import { keyOf, type Project } from '../api/EventsApi';
import { useCredentials, useProject } from '../projectQueries';
import { analyticsTranslationRef } from '../translation';
import { ProjectSettingsDialog } from './ProjectSettingsDialog';
import { CreateProjectDialog, RenameProjectDialog } from './ProjectDialogs';
import styles from '../analytics.module.css';

/** Shows a project and its key, and lets admins rename it or create another one. */
export function ProjectPanel(props: { project: Project; mayManage: boolean }) {
  const { project, mayManage } = props;
  const { t } = useTranslationRef(analyticsTranslationRef);
  const { choose, search } = useProject();
  const [open, setOpen] = useState<'create' | 'rename' | 'settings'>();
  const key = keyOf(useCredentials(project.id).data);
  return (
    <Panel
      title={t('project.title')}
      action={
        mayManage && (
          <div className={styles.actions}>
            {!project.isConfigured && (
              <>
                <Button
                  size="small"
                  variant="secondary"
                  onPress={() => setOpen('rename')}
                >
                  {t('project.rename')}
                </Button>
                <Button
                  size="small"
                  variant="secondary"
                  onPress={() => setOpen('settings')}
                >
                  {t('project.settings')}
                </Button>
              </>
            )}
            <Button
              size="small"
              variant="primary"
              onPress={() => setOpen('create')}
            >
              {t('project.create')}
            </Button>
          </div>
        )
      }
    >
      <div className={styles.stack}>
        <Details
          items={[
            { label: t('project.name'), value: project.name },
            { label: t('project.id'), value: project.id },
            { label: t('project.timeZone'), value: project.timeZone },
            {
              label: t('project.weekStart'),
              value: t(`project.days.${project.weekStart}`),
            },
            {
              label: t('project.retention'),
              value:
                project.retentionDays === null
                  ? t('project.retentionDefault')
                  : t('project.retentionDays', {
                      days: String(project.retentionDays),
                    }),
            },
            {
              label: t('project.users'),
              value: t(
                project.hidesPeople ? 'project.hidden' : 'project.shown',
              ),
            },
          ]}
        />
        {key && (
          <div>
            <h3 className={styles.heading}>{t('project.key')}</h3>
            <CodeLine code={key} label={t('project.copyKey')} />
          </div>
        )}
        {project.isConfigured && (
          <p className={styles.quiet}>{t('project.configured')}</p>
        )}
        <Link to={`/analytics/connect${search}`}>{t('project.connect')}</Link>
      </div>
      {open === 'create' && (
        <CreateProjectDialog
          onClose={() => setOpen(undefined)}
          onCreated={choose}
        />
      )}
      {open === 'rename' && (
        <RenameProjectDialog
          project={project}
          onClose={() => setOpen(undefined)}
        />
      )}
      {open === 'settings' && (
        <ProjectSettingsDialog
          project={project}
          onClose={() => setOpen(undefined)}
        />
      )}
    </Panel>
  );
}
