import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Alert, Button, Flex, Text } from '@backstage/ui';
import type { WorkspaceDetails } from '@slipway/plugin-ide-launcher-common';
import { StartFailure } from '../../components/StartFailure';
import { StartSteps } from '../../components/StartSteps';
import { useReportedActions } from '../../components/useReportedActions';
import { useWorkspacePermissions } from '../../data/useWorkspacePermissions';
import { ideLauncherTranslationRef } from '../../translation';

/** What there is to wait for, or to do, before the IDE can be entered. */
export function OpenProgress(props: {
  workspace: WorkspaceDetails;
  /** The IDE keeps sending this tab back. */
  isLooping: boolean;
  /** False when entering failed and an error is shown instead. */
  isEntering: boolean;
  onRetry: () => void;
}) {
  const { workspace, isLooping, isEntering, onRetry } = props;
  const { name, status, failed } = workspace;
  const { t } = useTranslationRef(ideLauncherTranslationRef);
  const actions = useReportedActions(workspace);
  const { mayUpdate } = useWorkspacePermissions();
  switch (status) {
    case 'Running':
      if (isLooping) {
        return (
          <Alert
            status="warning"
            icon
            title={t('open.loopTitle')}
            description={t('open.loopDescription', {
              host: new URL(workspace.ideUrl).host,
            })}
            customActions={
              <Button size="small" variant="secondary" onPress={onRetry}>
                {t('open.enterAgain')}
              </Button>
            }
          />
        );
      }
      return isEntering ? <Text as="p">{t('open.entering')}</Text> : null;
    case 'Starting':
      return (
        <>
          <Text as="p">{t('open.waiting', { name })}</Text>
          <StartSteps workspace={workspace} title={t('workspace.steps')} />
        </>
      );
    case 'Stopping':
      return <Text as="p">{t('open.stopping', { name })}</Text>;
    case 'Stopped':
      return (
        <>
          {failed ? (
            <StartFailure workspace={workspace} />
          ) : (
            <Text as="p">{t('open.stopped', { name })}</Text>
          )}
          {mayUpdate && (
            <Flex>
              <Button
                variant="primary"
                isPending={actions.isPending}
                onPress={actions.start}
              >
                {failed ? t('action.retry') : t('action.start')}
              </Button>
            </Flex>
          )}
          {failed && (
            <StartSteps workspace={workspace} title={t('workspace.steps')} />
          )}
        </>
      );
    default:
      return status satisfies never;
  }
}
