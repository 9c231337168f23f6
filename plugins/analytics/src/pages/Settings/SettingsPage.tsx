import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button } from '@backstage/ui';
import { ReadFailure } from '@slipway/app-react';
import { LoadingRows, Panel } from '@slipway/design-system';
import styles from '../../components/components.module.css';
import { ConnectGuide } from '../../components/ConnectGuide';
import { useCredentials } from '../../data/useEvents';
import { useProject } from '../../data/useProject';
import { analyticsTranslationRef } from '../../translation';
import { CreateKeyDialog } from './CreateKeyDialog';
import { KeyTable } from './KeyTable';

/** Keys and tokens of a project, and what to write into a product. */
export function SettingsPage() {
  const { t } = useTranslationRef(analyticsTranslationRef);
  const { list, project } = useProject();
  const { data, error, isPending, refetch } = useCredentials(project?.id);
  const [isCreating, setIsCreating] = useState(false);
  const mayManage = list.data?.mayManage ?? false;
  return (
    <div className={styles.stack}>
      <Panel
        title={t('settings.title')}
        padded={!data}
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
        {isPending && <LoadingRows label={t('settings.loading')} rows={3} />}
        {error && !data && (
          <ReadFailure
            title={t('settings.failed')}
            error={error}
            onRetry={() => refetch()}
          />
        )}
        {data && project && (
          <KeyTable
            projectId={project.id}
            credentials={data}
            mayManage={mayManage}
          />
        )}
      </Panel>
      {!mayManage && <p className={styles.text}>{t('settings.denied')}</p>}
      <ConnectGuide />
      {isCreating && project && (
        <CreateKeyDialog
          projectId={project.id}
          onClose={() => setIsCreating(false)}
        />
      )}
    </div>
  );
}
