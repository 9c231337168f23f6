import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { StatusBadge, type Tone } from '@slipway/design-system';
import type { WorkspaceListItem } from '@slipway/plugin-ide-launcher-common';
import { type DisplayStatus, displayStatus } from '../data/displayStatus';
import { isChanging } from '../data/workspaceQueries';
import { ideLauncherTranslationRef } from '../translation';

const TONES: Record<DisplayStatus, Tone> = {
  Starting: 'info',
  Running: 'success',
  Stopping: 'info',
  Stopped: 'neutral',
  Failed: 'danger',
};

/** The state of a workspace. */
export function WorkspaceStatusBadge(props: {
  workspace: Pick<WorkspaceListItem, 'status' | 'failed'>;
}) {
  const { t } = useTranslationRef(ideLauncherTranslationRef);
  const status = displayStatus(props.workspace);
  return (
    <StatusBadge
      tone={TONES[status]}
      label={t(`status.${status}`)}
      busy={isChanging(props.workspace.status)}
    />
  );
}
