import { LoggerService } from '@backstage/backend-plugin-api';
import { NotificationService } from '@backstage/plugin-notifications-node';
import { SignalsService } from '@backstage/plugin-signals-node';
import {
  WORKSPACE_SIGNAL_CHANNEL,
  WorkspaceSignal,
  WorkspaceStatus,
} from '@slipway/plugin-ide-launcher-common';

/** The part of a workspace that events name. */
export interface ChangedWorkspace {
  id: string;
  /** Entity ref of a user, or the subject of a service token. */
  owner: string;
  name: string;
}

/** Why a workspace changed. */
type ChangeReason =
  /** A caller, a rule or an end of the portal asked for it. */
  | { kind: 'requested' }
  /** It came about where the workspace runs. */
  | { kind: 'observed' }
  /** A start ended with an IDE that answers. */
  | { kind: 'started'; durationMs: number }
  /** A start failed, or an editor ended by itself; `cause` is a sentence for people. */
  | { kind: 'failed'; cause: string }
  /** A start reported steps or warnings, or only lines of the log. */
  | { kind: 'progress' | 'logged' }
  /** Nobody uses it; its owner has until then to start it. */
  | { kind: 'unused'; deletesAt: Date };

/**
 * Hears of a change.
 *
 * @param state - the new status, `Deleted` once the workspace is gone; null where the status stays.
 */
type ChangeListener = (
  workspace: ChangedWorkspace,
  state: WorkspaceStatus | 'Deleted' | null,
  reason: ChangeReason,
) => void;

/** The one event of the life cycle: pages and notifications subscribe to it. */
export class WorkspaceEvents {
  readonly #listeners = new Set<ChangeListener>();

  /** Calls the listener with every change. */
  onChange(listener: ChangeListener): void {
    this.#listeners.add(listener);
  }

  /** Tells every listener. */
  readonly changed: ChangeListener = (workspace, state, reason) => {
    this.#listeners.forEach(tell => tell(workspace, state, reason));
  };
}

/** Whoever waits longer than this has probably turned to something else. */
const WORTH_TELLING_MS = 30_000;

/** What a notification says; a later one about a workspace takes the place of an earlier one. */
interface Notice {
  title: string;
  description?: string;
  severity: 'normal' | 'high';
}

/** Returns true for users; other owners are service tokens, which have no pages and read no notifications. */
function isUserRef(owner: string): boolean {
  return /^user:/i.test(owner);
}

/** Writes a change as the signal that pages get. */
export function toSignal(
  ...[{ id }, state, reason]: Parameters<ChangeListener>
): WorkspaceSignal {
  if (state === 'Deleted') {
    return { type: 'deleted', workspaceId: id };
  }
  return {
    type: reason.kind === 'logged' ? 'log' : 'changed',
    workspaceId: id,
    ...(state && { status: state }),
  };
}

/** Tells an owner's open pages over Backstage signals. Delivery is best effort: pages poll as well. */
export function signalPages(options: {
  signals: SignalsService;
  logger: LoggerService;
}): ChangeListener {
  const { signals, logger } = options;
  return (workspace, state, reason) => {
    if (!isUserRef(workspace.owner)) {
      return;
    }
    signals
      .publish({
        recipients: { type: 'user', entityRef: workspace.owner },
        channel: WORKSPACE_SIGNAL_CHANNEL,
        message: { ...toSignal(workspace, state, reason) },
      })
      .catch(error =>
        logger.debug(`Could not publish a workspace signal: ${error}`),
      );
  };
}

/** Tells owners through the portal's notifications what they would miss after leaving the page. */
export function notifyOwners(options: {
  notifications: NotificationService;
  logger: LoggerService;
}): ChangeListener {
  const { notifications, logger } = options;
  return (workspace, _state, reason) => {
    const notice = noticeOf(workspace, reason);
    if (!notice || !isUserRef(workspace.owner)) {
      return;
    }
    notifications
      .send({
        recipients: { type: 'entity', entityRef: workspace.owner },
        payload: {
          ...notice,
          link: `/workspaces/${workspace.id}`,
          topic: 'workspaces',
          scope: workspace.id,
        },
      })
      .catch(error =>
        logger.warn(`Could not notify the owner of a workspace: ${error}`),
      );
  };
}

function noticeOf(
  { name }: ChangedWorkspace,
  reason: Parameters<ChangeListener>[2],
): Notice | null {
  switch (reason.kind) {
    case 'started':
      return reason.durationMs >= WORTH_TELLING_MS
        ? { title: `${name} is running`, severity: 'normal' }
        : null;
    case 'failed':
      return {
        title: `${name} failed`,
        description: reason.cause,
        severity: 'high',
      };
    case 'unused': {
      const day = reason.deletesAt.toISOString().slice(0, 10);
      return {
        title: `${name} is unused`,
        description: `It will be deleted with its files after ${day}. Start it to keep it.`,
        severity: 'high',
      };
    }
    default:
      return null;
  }
}
