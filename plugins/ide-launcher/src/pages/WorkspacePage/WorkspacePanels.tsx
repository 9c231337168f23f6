import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Link, Text } from '@backstage/ui';
import { ReadFailure } from '@slipway/app-react';
import {
  CodeLine,
  CopyButton,
  Details,
  LoadingBlock,
  LogView,
  Panel,
  RelativeTime,
  StatusBadge,
} from '@slipway/design-system';
import type {
  WorkspaceCommand,
  WorkspaceDetails,
  WorkspaceEndpoint,
  WorkspaceIsolation,
} from '@slipway/plugin-ide-launcher-common';
import { useWorkspaceLog } from '../../queries';
import { ideLauncherTranslationRef } from '../../translation';
import styles from './WorkspacePage.module.css';

/** Shows the log of a workspace, updated live. */
export function LogPanel({ workspace }: { workspace: WorkspaceDetails }) {
  const { t } = useTranslationRef(ideLauncherTranslationRef);
  const { data, error, refetch } = useWorkspaceLog(workspace);
  return (
    <Panel title={t('workspace.log')}>
      {!data && !error && (
        <LoadingBlock label={t('workspace.logLoading')} height={20} />
      )}
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

/** Lists the devfile's endpoints, with a link if something is listening. */
export function EndpointsPanel(props: {
  endpoints: readonly WorkspaceEndpoint[];
  status: WorkspaceDetails['status'];
}) {
  const { t } = useTranslationRef(ideLauncherTranslationRef);
  // "Not listening yet" would be wrong here: nothing will listen until the workspace is started.
  const isStopped = props.status === 'Stopped' || props.status === 'Stopping';
  const silent = t(
    isStopped ? 'workspace.notRunning' : 'workspace.notListening',
  );
  return (
    <Panel title={t('workspace.endpoints')}>
      {props.endpoints.length === 0 && (
        <Text as="p" color="secondary">
          {t('workspace.endpointsEmpty')}
        </Text>
      )}
      <ul className={styles.list}>
        {props.endpoints.map(endpoint => (
          <li
            key={`${endpoint.component}/${endpoint.name}`}
            className={styles.row}
          >
            <div>
              <EndpointName endpoint={endpoint} />
              <Text as="p" variant="body-small" color="secondary">
                {t('workspace.port', {
                  port: String(endpoint.targetPort),
                  protocol: endpoint.protocol,
                })}
              </Text>
            </div>
            <StatusBadge
              tone={endpoint.listening ? 'success' : 'neutral'}
              label={endpoint.listening ? t('workspace.listening') : silent}
            />
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function EndpointName({ endpoint }: { endpoint: WorkspaceEndpoint }) {
  const { t } = useTranslationRef(ideLauncherTranslationRef);
  const { name, url, listening } = endpoint;
  if (!url || !listening) {
    return <Text>{name}</Text>;
  }
  return (
    <Link
      href={url}
      target="_blank"
      rel="noopener"
      aria-label={t('workspace.openEndpoint', { name })}
    >
      {name}
    </Link>
  );
}

/** Lists the devfile's commands to copy; they are also available as tasks in the IDE. */
export function CommandsPanel(props: {
  commands: readonly WorkspaceCommand[];
}) {
  const { commands } = props;
  const { t } = useTranslationRef(ideLauncherTranslationRef);
  return (
    <Panel title={t('workspace.commands')}>
      <Text as="p" color="secondary">
        {commands.length === 0
          ? t('workspace.commandsEmpty')
          : t('workspace.commandsHint')}
      </Text>
      <ul className={styles.list}>
        {commands.map(({ id, label, commandLine, group, kind }) => (
          <li key={id} className={styles.row}>
            <Text>
              {label}
              <Text as="span" color="secondary">
                {` (${group ?? kind})`}
              </Text>
            </Text>
            {commandLine && (
              <CodeLine
                code={commandLine}
                label={t('workspace.copyCommand', { label })}
              />
            )}
          </li>
        ))}
      </ul>
    </Panel>
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

/** Shows properties of a workspace that rarely change. */
export function DetailsPanel({ workspace }: { workspace: WorkspaceDetails }) {
  const { t } = useTranslationRef(ideLauncherTranslationRef);
  const { devfile, editor, repositoryUrl } = workspace;
  return (
    <Panel title={t('workspace.details')}>
      <Details
        items={[
          {
            label: t('field.devfile'),
            // The built-in devfile has no address of its own; its `devfileUrl` is the repository's.
            value:
              repositoryUrl === workspace.devfileUrl ? (
                t('workspace.defaultDevfile')
              ) : (
                <Link
                  href={workspace.devfileUrl}
                  target="_blank"
                  rel="noopener"
                >
                  {withVersion(devfile.name, devfile.version)}
                </Link>
              ),
          },
          ...(repositoryUrl
            ? [
                {
                  label: t('field.repository'),
                  value: (
                    <Link href={repositoryUrl} target="_blank" rel="noopener">
                      {repositoryUrl.replace('https://', '')}
                    </Link>
                  ),
                },
              ]
            : []),
          ...chosen(t('field.revision'), workspace.revision),
          ...chosen(t('field.starterProject'), workspace.starterProject),
          { label: t('field.namespace'), value: workspace.namespace },
          {
            label: t('field.editor'),
            value: editor
              ? withVersion(editor.title, editor.version)
              : t('field.none'),
          },
          { label: t('field.runtime'), value: workspace.runtime },
          {
            label: t('field.isolation'),
            value: <Isolation isolation={workspace.isolation} />,
          },
          {
            label: t('field.created'),
            value: <RelativeTime value={workspace.createdAt} />,
          },
          {
            label: t('field.started'),
            value: workspace.startedAt ? (
              <RelativeTime value={workspace.startedAt} />
            ) : (
              t('field.never')
            ),
          },
          ...chosen(t('field.importedFrom'), workspace.importedFrom),
          {
            label: t('field.lastUsed'),
            value: <RelativeTime value={workspace.lastUsed} />,
          },
          {
            label: t('workspace.id'),
            value: (
              <>
                {workspace.workspaceId}{' '}
                <CopyButton
                  text={workspace.workspaceId}
                  label={t('workspace.copyId')}
                />
              </>
            ),
          },
        ]}
      />
    </Panel>
  );
}

/** Returns the item for a property in the details; no item if the workspace does not have it. */
function chosen(label: string, value: string | null) {
  return value ? [{ label, value }] : [];
}

function withVersion(name: string, version: string | null): string {
  return version ? `${name} ${version}` : name;
}

/** Shows how a workspace is isolated, its limits, and gaps in the isolation. */
function Isolation({ isolation }: { isolation: WorkspaceIsolation }) {
  const { t } = useTranslationRef(ideLauncherTranslationRef);
  const { gaps, kind, limits, network } = isolation;
  const facts = [
    t(`isolation.${kind}`),
    kind !== 'none' && t(`isolation.network.${network}`),
    limits.memoryMebibytes !== null &&
      t('isolation.memory', { mebibytes: String(limits.memoryMebibytes) }),
    limits.processes !== null &&
      t('isolation.processes', { count: limits.processes }),
  ].filter(Boolean);
  return (
    <>
      {facts.join(', ')}
      {gaps.map(gap => (
        <Text key={gap} as="p" variant="body-small" color="secondary">
          {gap}
        </Text>
      ))}
    </>
  );
}
