import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Text } from '@backstage/ui';
import { LogView, Panel } from '@slipway/design-system';
import type { WorkspaceDetails } from '@slipway/plugin-ide-launcher-common';
import { ReadFailure } from '@slipway/app-react';
import { useWorkspaceLog } from '../../data/workspaceQueries';
import { ideLauncherTranslationRef } from '../../translation';

/** The log of a workspace, growing while it is read. */
export function LogPanel({ workspace }: { workspace: WorkspaceDetails }) {
  const { t } = useTranslationRef(ideLauncherTranslationRef);
  const { data, error, refetch } = useWorkspaceLog(workspace);
  return (
    <Panel title={t('workspace.log')}>
      {error && (
        <ReadFailure
          title={t('workspace.logFailed')}
          error={error}
          onRetry={() => refetch()}
        />
      )}
      {data && data.lines.length === 0 && (
        <Text as="p" color="secondary">
          {t('workspace.logEmpty')}
        </Text>
      )}
      {data && data.lines.length > 0 && (
        <LogView
          label={t('workspace.logLabel', { name: workspace.name })}
          lines={data.lines}
        />
      )}
    </Panel>
  );
}
