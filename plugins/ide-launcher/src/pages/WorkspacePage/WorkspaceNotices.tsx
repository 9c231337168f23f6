import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Alert, Button, Text } from '@backstage/ui';
import { formatAbsolute, formatMoment, Panel } from '@slipway/design-system';
import type { WorkspaceDetails } from '@slipway/plugin-ide-launcher-common';
import { useReportedActions } from '../../actions';
import { useWorkspacePermissions } from '../../queries';
import { ideLauncherTranslationRef } from '../../translation';
import { longDay } from '../../workspaces';
import styles from './WorkspacePage.module.css';

/** Shows when a running workspace will stop because it is idle, with a button to postpone that. */
export function IdleDeadline({ workspace }: { workspace: WorkspaceDetails }) {
  const { t } = useTranslationRef(ideLauncherTranslationRef);
  const actions = useReportedActions(workspace);
  const { mayUpdate } = useWorkspacePermissions();
  const { stopsAt, status, statusMessage, failed, name } = workspace;
  if (status !== 'Running') {
    // A failure has its own panel.
    return statusMessage && !failed ? (
      <Text as="p" color="secondary">
        {statusMessage}
      </Text>
    ) : null;
  }
  if (!stopsAt) {
    return (
      <Text as="p" color="secondary">
        {t('workspace.neverStops')}
      </Text>
    );
  }
  return (
    <div className={styles.deadline}>
      <Text as="p" color="secondary">
        <time dateTime={stopsAt} title={formatAbsolute(Date.parse(stopsAt))}>
          {t('workspace.stopsAt', { time: formatMoment(Date.parse(stopsAt)) })}
        </time>
      </Text>
      {mayUpdate && (
        <Button
          size="small"
          variant="secondary"
          isPending={actions.isPending}
          onPress={actions.extend}
          aria-label={t('action.extendNamed', { name })}
        >
          {t('action.extend')}
        </Button>
      )}
    </div>
  );
}

/** Warns that an unused workspace will be deleted, and how to keep it. */
export function UnusedNotice({
  workspace,
}: {
  workspace: Pick<WorkspaceDetails, 'deletesAt' | 'importedFrom'>;
}) {
  const { t } = useTranslationRef(ideLauncherTranslationRef);
  if (!workspace.deletesAt) {
    return null;
  }
  const day = longDay(workspace.deletesAt);
  return (
    <Alert
      status="warning"
      icon
      // An imported workspace that has never run has no files.
      title={
        workspace.importedFrom
          ? t('workspace.unusedImport', { day })
          : t('workspace.unused', { day })
      }
      description={t('workspace.unusedAdvice')}
    />
  );
}

/** Lists the parts of the devfile that this runtime does not support. */
export function WarningsPanel({ warnings }: { warnings: readonly string[] }) {
  const { t } = useTranslationRef(ideLauncherTranslationRef);
  if (warnings.length === 0) {
    return null;
  }
  return (
    <Panel title={t('workspace.warnings')}>
      <ul className={styles.bullets}>
        {warnings.map(warning => (
          <li key={warning}>{warning}</li>
        ))}
      </ul>
    </Panel>
  );
}
