import { NotAllowedError } from '@backstage/errors';
import { IsolationAcceptance } from '@slipway/plugin-ide-launcher-common';
import { WorkspaceRuntime } from '../runtimes/WorkspaceRuntime';
import { WorkspaceStore } from './storage/WorkspaceStore';

/** What {@link IsolationConsent} works with. */
export interface IsolationConsentOptions {
  store: Pick<WorkspaceStore, 'isolationConsent' | 'recordIsolationConsent'>;
  runtime: Pick<WorkspaceRuntime, 'isolation'>;
  /** True where the configuration accepts it, as that of development does. */
  acceptUnisolated: boolean;
  /** Groups whose members may accept it, for messages. */
  adminGroups: readonly string[];
  now(): Date;
}

/**
 * Keeps workspaces from starting as plain processes of the portal's user until an
 * administrator has accepted that; the answer is remembered.
 */
export class IsolationConsent {
  readonly #options: IsolationConsentOptions;

  constructor(options: IsolationConsentOptions) {
    this.#options = options;
  }

  /** Whether somebody accepts, or has to; null where workspaces are isolated. */
  async state(): Promise<IsolationAcceptance | null> {
    const { acceptUnisolated, runtime, store } = this.#options;
    if (runtime.isolation().kind !== 'none') {
      return null;
    }
    const consent = await store.isolationConsent();
    return {
      accepted: acceptUnisolated || consent !== undefined,
      acceptedBy: consent?.givenBy ?? null,
      acceptedAt: consent?.givenAt ?? null,
    };
  }

  /** @throws NotAllowedError naming who can accept, and how. */
  async assertAccepted(): Promise<void> {
    const state = await this.state();
    if (state && !state.accepted) {
      throw new NotAllowedError(
        'Workspaces would run without isolation here, with the rights of the portal. ' +
          `An administrator (${this.#options.adminGroups.join(
            ', ',
          )}) accepts that once, ` +
          'on the Workspaces page or by POST /api/ide-launcher/isolation/consent',
      );
    }
  }

  /** Records who accepts. The first answer stays. */
  async accept(userRef: string): Promise<IsolationAcceptance | null> {
    const { now, store } = this.#options;
    await store.recordIsolationConsent({
      givenBy: userRef,
      givenAt: now().toISOString(),
    });
    return this.state();
  }
}
