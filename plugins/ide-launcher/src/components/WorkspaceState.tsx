import { useEffect, useRef, useState } from 'react';
import { useRouteRef, useTranslationRef } from '@backstage/frontend-plugin-api';
import { Alert, ButtonLink, Text, VisuallyHidden } from '@backstage/ui';
import { RiExternalLinkLine } from '@remixicon/react';
import {
  EmptyState,
  Page,
  PageHeader,
  Panel,
  StatusBadge,
  StepList,
  type Tone,
} from '@slipway/design-system';
import type {
  WorkspaceDetails,
  WorkspaceListItem,
} from '@slipway/plugin-ide-launcher-common';
import { isChanging } from '../queries';
import { openRouteRef, rootRouteRef } from '../routes';
import { ideLauncherTranslationRef } from '../translation';

/**
 * The displayed state of a workspace: the contract's, or `Failed` after a failed start, for which the
 * contract has no state of its own (`Stopped`).
 */
type DisplayStatus = WorkspaceListItem['status'] | 'Failed';

/** All values of {@link DisplayStatus}, most relevant first. */
export const DISPLAY_STATUSES: readonly DisplayStatus[] = [
  'Running',
  'Starting',
  'Stopping',
  'Failed',
  'Stopped',
];

/** Returns the {@link DisplayStatus} of a workspace. */
export function displayStatus(
  workspace: Pick<WorkspaceListItem, 'status' | 'failed'>,
): DisplayStatus {
  return workspace.status === 'Stopped' && workspace.failed
    ? 'Failed'
    : workspace.status;
}

/** Sorts workspaces by state, active ones first, then by last use, latest first. */
export function mostRecentFirst(
  workspaces: readonly WorkspaceListItem[],
): WorkspaceListItem[] {
  return [...workspaces].sort(
    (a, b) => rank(a) - rank(b) || b.lastUsed.localeCompare(a.lastUsed),
  );
}

/** Returns the rank of a state. Stopped and failed share a rank, because the last use matters more. */
function rank(workspace: WorkspaceListItem): number {
  return workspace.status === 'Stopped'
    ? DISPLAY_STATUSES.length
    : DISPLAY_STATUSES.indexOf(displayStatus(workspace));
}

const TONES: Record<DisplayStatus, Tone> = {
  Starting: 'info',
  Running: 'success',
  Stopping: 'info',
  Stopped: 'neutral',
  Failed: 'danger',
};

/** Shows the state of a workspace. */
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

/** Announces to screen readers which workspaces changed state since they were first shown. */
export function StatusAnnouncer(props: {
  workspaces: readonly Pick<
    WorkspaceListItem,
    'workspaceId' | 'name' | 'status' | 'failed'
  >[];
}) {
  const { workspaces } = props;
  const { t } = useTranslationRef(ideLauncherTranslationRef);
  const known = useRef(new Map<string, DisplayStatus>());
  const [text, setText] = useState('');
  useEffect(() => {
    const changes: string[] = [];
    for (const workspace of workspaces) {
      const status = displayStatus(workspace);
      const before = known.current.get(workspace.workspaceId);
      known.current.set(workspace.workspaceId, status);
      if (before !== undefined && before !== status) {
        changes.push(
          t('status.changed', {
            name: workspace.name,
            status: t(`status.${status}`),
          }),
        );
      }
    }
    if (changes.length > 0) {
      setText(changes.join('. '));
    }
  }, [workspaces, t]);
  return (
    <VisuallyHidden role="status" aria-live="polite">
      {text}
    </VisuallyHidden>
  );
}

/** Shows the named steps of the last start, with progress and elapsed time. */
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

/** Shows why the last start failed, or why the editor ended. The page provides the button to try again. */
export function WorkspaceFailure({
  workspace,
}: {
  workspace: WorkspaceDetails;
}) {
  const { t } = useTranslationRef(ideLauncherTranslationRef);
  return (
    <div role="alert">
      <Alert
        status="danger"
        icon
        title={t('workspace.failed', { name: workspace.name })}
        description={workspace.statusMessage ?? t('workspace.failedUnknown')}
      />
    </div>
  );
}

/**
 * Shown instead of a workspace that does not exist or belongs to another user, with a link to the list.
 */
export function NoSuchWorkspace(props: { workspaceId: string }) {
  const { t } = useTranslationRef(ideLauncherTranslationRef);
  const listPath = useRouteRef(rootRouteRef)?.();
  return (
    <Page
      header={
        <PageHeader
          title={t('workspace.notFoundTitle')}
          breadcrumbs={[{ label: t('list.title'), href: listPath ?? '' }]}
        />
      }
    >
      <EmptyState
        title={t('workspace.notFoundTitle')}
        description={t('workspace.notFoundDescription', {
          id: props.workspaceId,
        })}
        action={
          <ButtonLink href={listPath} variant="primary">
            {t('action.showAll')}
          </ButtonLink>
        }
      />
    </Page>
  );
}

/**
 * Opens the IDE in a new tab. Links to a page of the portal that fetches the one-time ticket: a
 * window opened after waiting for a response would be blocked as a pop-up.
 */
export function OpenIdeLink(props: {
  workspace: { workspaceId: string; name: string };
  variant?: 'primary' | 'secondary' | 'tertiary';
}) {
  const { workspace, variant = 'secondary' } = props;
  const { t } = useTranslationRef(ideLauncherTranslationRef);
  const openPath = useRouteRef(openRouteRef);
  return (
    <ButtonLink
      href={openPath?.({ workspaceId: workspace.workspaceId })}
      target="_blank"
      rel="noopener"
      variant={variant}
      size="small"
      iconEnd={<RiExternalLinkLine aria-hidden />}
      aria-label={t('action.openNamed', { name: workspace.name })}
    >
      {t('action.open')}
    </ButtonLink>
  );
}
