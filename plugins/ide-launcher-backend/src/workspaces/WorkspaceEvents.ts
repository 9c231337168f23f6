import { LoggerService } from '@backstage/backend-plugin-api';
import { NotificationService } from '@backstage/plugin-notifications-node';
import { SignalsService } from '@backstage/plugin-signals-node';
import {
  WORKSPACE_SIGNAL_CHANNEL,
  WorkspaceSignal,
  WorkspaceStatus,
} from '@slipway/plugin-ide-launcher-common';

/** The fields of a workspace that events need. */
export interface ChangedWorkspace {
  id: string;
  /** Entity ref of a user, or the subject of a service token. */
  owner: string;
  name: string;
}

/** The reason for a workspace's change. */
type ChangeReason =
  /** Requested by a caller, a rule or the shutdown of the portal. */
  | { kind: 'requested' }
  /** Observed in the runtime. */
  | { kind: 'observed' }
  /** A start ended with a responding IDE. */
  | { kind: 'started'; durationMs: number }
  /**
   * A start failed, or an editor ended unexpectedly; `cause` is a sentence for users.
   */
  | { kind: 'failed'; cause: string }
  /** A start reported steps or warnings, or only log lines. */
  | { kind: 'progress' | 'logged' }
  /** It is unused and will be deleted at that time unless its owner starts it. */
  | { kind: 'unused'; deletesAt: Date };

/**
 * Receives changes.
 *
 * @param state - the new status, `Deleted` if the workspace is gone; null if the status is
 * unchanged.
 */
type ChangeListener = (
  workspace: ChangedWorkspace,
  state: WorkspaceStatus | 'Deleted' | null,
  reason: ChangeReason,
) => void;

/** Publishes changes of workspaces to pages and notifications. */
export class WorkspaceEvents {
  readonly #listeners = new Set<ChangeListener>();

  /** Calls the listener on every change. */
  onChange(listener: ChangeListener): void {
    this.#listeners.add(listener);
  }

  /** Calls all listeners with a change. */
  readonly changed: ChangeListener = (workspace, state, reason) => {
    this.#listeners.forEach(listener => listener(workspace, state, reason));
  };
}

/**
 * Starts that take longer than this are worth a notification, because the user has probably left
 * the page.
 */
const LONG_START_MS = 30_000;

/** The content of a notification; a later one about the same workspace replaces it. */
interface Notice {
  title: string;
  description?: string;
  severity: 'normal' | 'high';
}

/** Returns true for users; other owners are service tokens, which do not read notifications. */
function isUserRef(owner: string): boolean {
  return /^user:/i.test(owner);
}

/** Converts a change to the signal sent to pages. */
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

/**
 * Returns a listener that sends changes to the owner's open pages as Backstage signals. Delivery is best
 * effort, so pages also poll.
 */
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

/** Returns a listener that notifies owners in the portal of changes that they may miss on the page. */
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
      return reason.durationMs >= LONG_START_MS
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
