import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Text } from '@backstage/ui';
import { Panel, StepList } from '@slipway/design-system';
import type { WorkspaceDetails } from '@slipway/plugin-ide-launcher-common';
import { ideLauncherTranslationRef } from '../translation';

/** The named steps of the last start, with progress and elapsed time. */
export function StartSteps(props: {
  workspace: Pick<WorkspaceDetails, 'name' | 'steps'>;
  title: string;
}) {
  const { workspace, title } = props;
  const { t } = useTranslationRef(ideLauncherTranslationRef);
  return (
    <Panel title={title}>
      {workspace.steps.length === 0 ? (
        <Text as="p" color="secondary">
          {t('workspace.stepsEmpty')}
        </Text>
      ) : (
        <StepList
          label={t('workspace.stepsLabel', { name: workspace.name })}
          steps={workspace.steps}
        />
      )}
    </Panel>
  );
}
