import { useApi, useTranslationRef } from '@backstage/frontend-plugin-api';
import { Alert, Button, Select, Text, VisuallyHidden } from '@backstage/ui';
import { useErrorWords } from '@slipway/app-react';
import { formatDuration } from '@slipway/design-system';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ideLauncherApiRef } from '../api/IdeLauncherApi';
import { WorkspaceLines } from '../components/WorkspaceLines';
import { mostRecentFirst } from '../components/WorkspaceState';
import {
  queryKeys,
  useWorkspaceList,
  useWorkspaceOptions,
  useWorkspacePermissions,
} from '../queries';
import type {
  DevfilePreview,
  EditorAvailability,
  WorkspaceOptions,
} from '@slipway/plugin-ide-launcher-common';
import { ideLauncherTranslationRef } from '../translation';

/** Warns that a workspace will have to wait for its editor; renders nothing if the editor is ready. */
export function EditorNotice({ editor }: { editor: EditorAvailability }) {
  const { t } = useTranslationRef(ideLauncherTranslationRef);
  switch (editor.state) {
    case 'ready':
      return null;
    case 'installing':
      return (
        <Alert
          status="info"
          icon
          title={
            editor.progress === null
              ? t('create.editorInstalling')
              : t('create.editorInstallingProgress', {
                  percent: String(Math.round(editor.progress * 100)),
                })
          }
          description={editor.message}
        />
      );
    case 'missing':
      return (
        <Alert
          status="warning"
          icon
          title={t('create.editorMissing')}
          description={editor.message}
        />
      );
    default:
      return editor.state satisfies never;
  }
}

/** Returns which limit, if any, prevents the caller from creating a workspace. */
export function reachedLimit(
  options: Pick<WorkspaceOptions, 'limits' | 'usage'> | undefined,
): 'total' | 'running' | undefined {
  if (!options) {
    return undefined;
  }
  const { limits, usage } = options;
  if (usage.total >= limits.total) {
    return 'total';
  }
  // A new workspace starts immediately, so the limit on running workspaces applies too.
  return usage.running >= limits.running ? 'running' : undefined;
}

/** Shows the caller's usage and limits, or the limit that is reached. */
export function LimitUsage({ options }: { options: WorkspaceOptions }) {
  const { t } = useTranslationRef(ideLauncherTranslationRef);
  const { limits, usage, idleTimeoutMinutes } = options;
  const reached = reachedLimit(options);
  if (reached === 'total') {
    return (
      <Alert
        status="warning"
        icon
        title={t('create.totalReached', { count: limits.total })}
      />
    );
  }
  if (reached === 'running') {
    return (
      <Alert
        status="warning"
        icon
        title={t('create.runningReached', { count: limits.running })}
      />
    );
  }
  return (
    <Text as="p" variant="body-small" color="secondary">
      {t('create.usage', {
        total: String(usage.total),
        totalLimit: String(limits.total),
        running: String(usage.running),
        runningLimit: String(limits.running),
      })}{' '}
      {idleTimeoutMinutes !== null &&
        t('create.idle', { time: formatDuration(idleTimeoutMinutes * 60_000) })}
    </Text>
  );
}

/** Links to the user's existing workspaces of a repository, and announces them to screen readers. */
export function ExistingWorkspaces({
  repositoryUrl,
}: {
  repositoryUrl: string;
}) {
  const { t } = useTranslationRef(ideLauncherTranslationRef);
  const { data } = useWorkspaceList();
  const existing = mostRecentFirst(
    (data?.workspaces ?? []).filter(
      workspace =>
        workspace.repositoryUrl !== null &&
        plainAddress(workspace.repositoryUrl) === plainAddress(repositoryUrl),
    ),
  );
  const title = t('create.existing', { count: existing.length });
  return (
    <>
      {/* Only names are announced, because the lines below change with time. */}
      <VisuallyHidden role="status">
        {existing.length > 0 &&
          `${title}: ${existing.map(({ name }) => name).join(', ')}`}
      </VisuallyHidden>
      {existing.length > 0 && (
        <Alert
          status="info"
          icon
          title={title}
          description={<WorkspaceLines workspaces={existing} />}
        />
      )}
    </>
  );
}

/** Returns a repository's address without trailing slashes and `.git`, for comparison. */
function plainAddress(address: string): string {
  return address
    .trim()
    .replace(/(?<!\/)\/+$/, '')
    .replace(/\.git$/, '');
}

const NONE = '';

/** Selects a starter project, if the devfile has any. */
export function StarterProjectField(props: {
  devfile: DevfilePreview['devfile'] | undefined;
  value: string;
  onChange: (name: string) => void;
}) {
  const { t } = useTranslationRef(ideLauncherTranslationRef);
  const starters = props.devfile?.starterProjects ?? [];
  if (starters.length === 0) {
    return null;
  }
  return (
    <Select
      name="starterProject"
      label={t('create.starterLabel')}
      description={t('create.starterDescription')}
      value={props.value}
      onChange={key => props.onChange(String(key ?? NONE))}
      options={[
        { id: NONE, label: t('create.starterNone') },
        ...starters.map(({ name, description }) => ({
          id: name,
          label: description ? `${name}: ${description}` : name,
        })),
      ]}
    />
  );
}

/**
 * Warns that workspaces run without isolation, and lets an admin accept that; until then, no
 * workspace starts. Renders nothing if workspaces are isolated.
 */
export function IsolationNotice() {
  const { t } = useTranslationRef(ideLauncherTranslationRef);
  const errorWords = useErrorWords();
  const api = useApi(ideLauncherApiRef);
  const client = useQueryClient();
  const isolation = useWorkspaceOptions().data?.runtime.isolation;
  const { mayAcceptUnisolated } = useWorkspacePermissions();
  const accept = useMutation({
    mutationFn: () => api.acceptUnisolated(),
    onSuccess: options => client.setQueryData(queryKeys.options, options),
  });

  if (!isolation?.acceptance) {
    return null;
  }
  const { accepted, acceptedBy } = isolation.acceptance;
  const answered = acceptedBy
    ? t('isolation.acceptedBy', { who: acceptedBy })
    : t('isolation.acceptedByConfiguration');
  const open = mayAcceptUnisolated
    ? t('isolation.acceptFirst')
    : t('isolation.askAdministrator');
  return (
    <div role={accept.error ? 'alert' : undefined}>
      <Alert
        status={accepted ? 'warning' : 'danger'}
        icon
        title={t('isolation.noticeTitle')}
        description={[
          ...isolation.gaps,
          accepted ? answered : open,
          ...(accept.error ? [errorWords(accept.error)] : []),
        ].join(' ')}
        customActions={
          !accepted &&
          mayAcceptUnisolated && (
            <Button
              variant="secondary"
              isPending={accept.isPending}
              onPress={() => accept.mutate()}
            >
              {t('isolation.accept')}
            </Button>
          )
        }
      />
    </div>
  );
}
