import { LoggerService } from '@backstage/backend-plugin-api';
import { SignalsService } from '@backstage/plugin-signals-node';
import {
  WORKSPACE_SIGNAL_CHANNEL,
  WorkspaceSignal,
} from '@slipway/plugin-ide-launcher-common';

/** Tells an owner's open pages that something about a workspace changed. */
export interface WorkspaceEvents {
  publish(owner: string, signal: WorkspaceSignal): void;
}

/** Whether an owner is a user; the others are service tokens, which have no pages and read no notifications. */
export function isUserRef(owner: string): boolean {
  return /^user:/i.test(owner);
}

/** Publishes over Backstage signals. Delivery is best effort: pages poll as well. */
export class SignalWorkspaceEvents implements WorkspaceEvents {
  readonly #signals: SignalsService;
  readonly #logger: LoggerService;

  constructor(options: { signals: SignalsService; logger: LoggerService }) {
    this.#signals = options.signals;
    this.#logger = options.logger;
  }

  publish(owner: string, signal: WorkspaceSignal): void {
    if (!isUserRef(owner)) {
      return;
    }
    this.#signals
      .publish({
        recipients: { type: 'user', entityRef: owner },
        channel: WORKSPACE_SIGNAL_CHANNEL,
        message: { ...signal },
      })
      .catch(error =>
        this.#logger.debug(`Could not publish a workspace signal: ${error}`),
      );
  }
}
