import { LoggerService } from '@backstage/backend-plugin-api';
import { NotificationService } from '@backstage/plugin-notifications-node';
import { isUserRef } from './WorkspaceEvents';

/** The part of a workspace that its owner is told about. */
interface NamedWorkspace {
  id: string;
  owner: string;
  name: string;
}

/** Told how starts end, and of editors that end by themselves. */
export interface WorkspaceOutcomes {
  ready(workspace: NamedWorkspace, startDurationMs: number): void;
  failed(workspace: NamedWorkspace, cause: string): void;
}

/** Told of workspaces that are unused and will be deleted. */
export interface UnusedNotices {
  unused(workspace: NamedWorkspace, deletesAt: Date): void;
}

/** Who waits longer than this has probably turned to something else. */
const WORTH_TELLING_MS = 30_000;

/** Tells owners through the portal's notifications what they would miss after leaving the page. */
export class WorkspaceNotifications
  implements WorkspaceOutcomes, UnusedNotices
{
  readonly #notifications: NotificationService;
  readonly #logger: LoggerService;

  constructor(options: {
    notifications: NotificationService;
    logger: LoggerService;
  }) {
    this.#notifications = options.notifications;
    this.#logger = options.logger;
  }

  ready(workspace: NamedWorkspace, startDurationMs: number): void {
    if (startDurationMs >= WORTH_TELLING_MS) {
      this.#send(workspace, {
        title: `${workspace.name} is running`,
        severity: 'normal',
      });
    }
  }

  failed(workspace: NamedWorkspace, cause: string): void {
    this.#send(workspace, {
      title: `${workspace.name} stopped by a fault`,
      description: cause,
      severity: 'high',
    });
  }

  unused(workspace: NamedWorkspace, deletesAt: Date): void {
    const day = deletesAt.toISOString().slice(0, 10);
    this.#send(workspace, {
      title: `${workspace.name} is unused`,
      description: `It will be deleted with its files after ${day}. Start it to keep it.`,
      severity: 'high',
    });
  }

  #send(
    workspace: NamedWorkspace,
    message: {
      title: string;
      description?: string;
      severity: 'normal' | 'high';
    },
  ): void {
    if (!isUserRef(workspace.owner)) {
      return;
    }
    this.#notifications
      .send({
        recipients: { type: 'entity', entityRef: workspace.owner },
        payload: {
          ...message,
          link: `/workspaces/${workspace.id}`,
          topic: 'workspaces',
          // A later word on a workspace takes the place of an earlier one.
          scope: workspace.id,
        },
      })
      .catch(error =>
        this.#logger.warn(
          `Could not notify the owner of a workspace: ${error}`,
        ),
      );
  }
}
