import {
  type EntityScope,
  type EntitySummary,
  type Need,
  type TimelineItem,
} from '@slipway/entity-contract';
import {
  devfileUrlOf,
  WorkspaceListItem,
} from '@slipway/plugin-ide-launcher-common';
import { EntityPart } from '@slipway/portal-kit';
import { WorkspaceService } from '../workspaces/WorkspaceService';

/** A workspace appears in its owner's inbox at most this long before it stops. */
const STOPPING_MS = 30 * 60_000;

/**
 * Creates the entity part of IDE workspaces: all of the caller's workspaces for a user entity,
 * otherwise those from the devfiles of the entity's components.
 */
export function workspacesPart(options: {
  service: Pick<WorkspaceService, 'listOf'>;
  now?: () => number;
}): EntityPart {
  const { service, now = Date.now } = options;

  async function ownOf(
    scope: EntityScope,
    requester: Parameters<EntityPart['summary']>[1],
  ): Promise<WorkspaceListItem[]> {
    const { workspaces } = await service.listOf(requester.ref);
    if (scope.kind === 'user') {
      return workspaces;
    }
    const devfiles = new Set(devfilesOf(scope));
    return workspaces.filter(({ devfileUrl }) => devfiles.has(devfileUrl));
  }

  return {
    async summary(scope, requester): Promise<EntitySummary> {
      if (scope.kind !== 'user' && devfilesOf(scope).length === 0) {
        return {
          state: 'unconnected',
          message:
            'Name the devfile of its workspaces in the annotation slipway.dev/devfile.',
          page: '/workspaces',
          facts: [],
          needs: [],
        };
      }
      const own = await ownOf(scope, requester);
      const needs = own.flatMap(workspace => needOf(workspace, now()));
      const [last] = [...own].sort((one, other) =>
        one.lastUsed < other.lastUsed ? 1 : -1,
      );
      return {
        state: needs.length > 0 ? 'warning' : usedState(own),
        page: '/workspaces',
        facts: [
          {
            id: 'own',
            label: 'My workspaces',
            kind: 'count',
            value: own.length,
          },
          {
            id: 'running',
            label: 'Running',
            kind: 'count',
            value: own.filter(({ status }) => status === 'Running').length,
          },
          ...(last
            ? [
                {
                  id: 'last',
                  label: 'Last used',
                  kind: 'text' as const,
                  value: last.name,
                  at: last.lastUsed,
                  page: pageOf(last),
                },
              ]
            : []),
        ],
        needs,
      };
    },

    async timeline(
      scope,
      { kinds, from, to },
      requester,
    ): Promise<TimelineItem[]> {
      const own = kinds.has('workspace') ? await ownOf(scope, requester) : [];
      return own
        .filter(({ createdAt }) => {
          const moment = Date.parse(createdAt);
          return moment >= from && moment < to;
        })
        .map(workspace => ({
          id: `workspace:${workspace.workspaceId}`,
          kind: 'workspace',
          at: workspace.createdAt,
          title: `${workspace.name} created`,
          state: workspace.failed ? 'Failed' : workspace.status,
          ...(workspace.failed && { tone: 'bad' as const }),
          page: pageOf(workspace),
          neighbours: [],
        }));
    },
  };
}

function usedState(own: readonly WorkspaceListItem[]): 'good' | 'quiet' {
  return own.length > 0 ? 'good' : 'quiet';
}

function devfilesOf({ components }: EntityScope): string[] {
  return components.flatMap(
    ({ annotations }) => devfileUrlOf(annotations) ?? [],
  );
}

function needOf(workspace: WorkspaceListItem, now: number): Need[] {
  const { name, workspaceId, stopsAt, deletesAt } = workspace;
  const common = { page: pageOf(workspace), action: 'View workspace' };
  const notified = { notified: true, scope: workspaceId };
  if (workspace.failed) {
    return [
      {
        ...common,
        key: `workspace-failed:${workspaceId}:${workspace.lastUsed}`,
        kind: 'workspace-failed',
        ...notified,
        title: `${name} failed`,
        ...(workspace.statusMessage && {
          detail: workspace.statusMessage.slice(0, 200),
        }),
        at: workspace.lastUsed,
        tone: 'bad',
      },
    ];
  }
  if (deletesAt !== null) {
    return [
      {
        ...common,
        key: `workspace-deletes:${workspaceId}:${deletesAt}`,
        kind: 'workspace-deletes',
        ...notified,
        title: `${name} will be deleted`,
        detail: 'It has not been used for a long time',
        at: deletesAt,
        tone: 'warning',
      },
    ];
  }
  return stopsAt !== null && isAboutToStop(workspace.lastUsed, stopsAt, now)
    ? [
        {
          ...common,
          key: `workspace-stops:${workspaceId}:${stopsAt}`,
          kind: 'workspace-stops',
          title: `${name} is about to stop`,
          detail: 'It is idle',
          at: stopsAt,
          tone: 'warning',
        },
      ]
    : [];
}

/**
 * Returns whether a workspace stops within {@link STOPPING_MS} and has been idle for longer than the
 * time left. Without the second condition, a short idle timeout would include workspaces in use.
 */
function isAboutToStop(
  lastUsed: string,
  stopsAt: string,
  now: number,
): boolean {
  const left = Date.parse(stopsAt) - now;
  return left < STOPPING_MS && now - Date.parse(lastUsed) > left;
}

function pageOf({ workspaceId }: WorkspaceListItem): string {
  return `/workspaces/${encodeURIComponent(workspaceId)}`;
}
