import { createHash } from 'node:crypto';
import {
  BackstageCredentials,
  BackstageUserPrincipal,
} from '@backstage/backend-plugin-api';
import { ConflictError, NotAllowedError } from '@backstage/errors';
import { IsolationAcceptance } from '@slipway/plugin-ide-launcher-common';
import { Caller } from '@slipway/portal-kit';
import { KeyedQueue } from '../queues';
import { WorkspaceRuntime } from '../runtimes/WorkspaceRuntime';
import { checkNamespaceOwner, WorkspaceStore } from './storage/WorkspaceStore';

/** Suffix of every caller's own namespace. */
const OWN_SUFFIX = '-workspaces';
const HASH_LENGTH = 6;

/**
 * Returns the default namespace of a caller: `<user>-workspaces`. A hash distinguishes callers
 * whose namespace could collide with such a user's: users of an entity namespace other than
 * `default`, those whose name is not a DNS label (`kim.lee` next to `kim-lee`), and service
 * tokens.
 */
export function defaultNamespace({ name, ref }: Caller): string {
  if (ref.toLocaleLowerCase('en-US') === `user:default/${name}`) {
    return `${name}${OWN_SUFFIX}`;
  }
  const hash = createHash('sha256').update(ref).digest('hex');
  const short = name.slice(0, 63 - OWN_SUFFIX.length - HASH_LENGTH - 1);
  return `${short}-${hash.slice(0, HASH_LENGTH)}${OWN_SUFFIX}`;
}

/**
 * Rejects a namespace that belongs to, or is reserved for, another owner.
 *
 * @throws NotAllowedError naming the caller's own namespace if that helps.
 */
export async function checkNamespace(
  parts: {
    store: Pick<WorkspaceStore, 'namespaceOwner'>;
    runtime: Pick<WorkspaceRuntime, 'checkPlace'>;
  },
  caller: Caller,
  namespace: string,
): Promise<void> {
  const own = namespace === defaultNamespace(caller);
  if (!own && namespace.endsWith(OWN_SUFFIX)) {
    throw new NotAllowedError(
      `Namespace '${namespace}' is reserved for the user it is named after; yours is '${defaultNamespace(
        caller,
      )}'`,
    );
  }
  checkNamespaceOwner(
    { name: namespace, owner: caller.ref },
    await parts.store.namespaceOwner(namespace),
  );
  await checkPlace(parts.runtime, { namespace, owner: caller.ref });
}

/**
 * Checks whether the runtime allows the workspace in its namespace. If the runtime is unreachable,
 * creation continues, and the start will report the problem.
 *
 * @throws NotAllowedError if the namespace belongs to another owner; ConflictError if the name
 * is in use.
 */
export async function checkPlace(
  runtime: Pick<WorkspaceRuntime, 'checkPlace'>,
  place: { namespace: string; name?: string; owner: string },
): Promise<void> {
  try {
    await runtime.checkPlace?.(place);
  } catch (error) {
    if (error instanceof NotAllowedError || error instanceof ConflictError) {
      throw error;
    }
  }
}

/** The queue key for all owners; never an owner itself, since those are entity refs and token subjects. */
const EVERYONE = '*';

/** Limits on the number of workspaces per owner. */
export interface WorkspaceLimits {
  total: number;
  /** Workspaces in state Starting, Running or Stopping. */
  running: number;
  /** The limits of all owners together; null for no limit. */
  everyone: { total: number | null; running: number | null };
}

/**
 * Enforces the limits of owners. Calls of one owner run one at a time (all calls if owners share
 * a limit), so that concurrent calls cannot all pass based on the same count.
 */
export class LimitGuard {
  readonly #options: { store: WorkspaceStore; limits: WorkspaceLimits };
  readonly #queue = new KeyedQueue();

  constructor(options: { store: WorkspaceStore; limits: WorkspaceLimits }) {
    this.#options = options;
  }

  /**
   * Runs `action` if the owner's limits allow one more workspace of `kind`.
   *
   * @throws NotAllowedError naming the limit and what to do.
   */
  async within<T>(
    owner: string,
    kind: 'create' | 'start',
    action: () => Promise<T>,
  ): Promise<T> {
    const { everyone } = this.#options.limits;
    const shared = everyone.total !== null || everyone.running !== null;
    return this.#queue.run(shared ? EVERYONE : owner, kind, async () => {
      await this.#check(owner, kind);
      return action();
    });
  }

  async #check(owner: string, kind: 'create' | 'start'): Promise<void> {
    const usage = await this.#options.store.usage(owner);
    const { total, running } = this.#options.limits;
    if (kind === 'create' && usage.total >= total) {
      throw new NotAllowedError(
        `You have ${usage.total} of at most ${total} workspaces; delete one to create another`,
      );
    }
    if (usage.running >= running) {
      throw new NotAllowedError(
        `You have ${usage.running} of at most ${running} running workspaces; stop one to start another`,
      );
    }
    await this.#checkEveryone(kind);
  }

  async #checkEveryone(kind: 'create' | 'start'): Promise<void> {
    const { total, running } = this.#options.limits.everyone;
    if (total === null && running === null) {
      return;
    }
    const usage = await this.#options.store.usage();
    if (kind === 'create' && total !== null && usage.total >= total) {
      throw new NotAllowedError(
        `The platform has room for ${total} workspaces and all are in use; delete one or ask a platform admin for more`,
      );
    }
    if (running !== null && usage.running >= running) {
      throw new NotAllowedError(
        `The platform has room for ${running} running workspaces and all are in use; stop one or try again later`,
      );
    }
  }
}

/** Dependencies of the checks for workspaces without isolation. */
interface IsolationConsent {
  store: Pick<WorkspaceStore, 'isolationConsent'>;
  runtime: Pick<WorkspaceRuntime, 'isolation'>;
  /** True if the configuration accepts missing isolation, e.g. for development. */
  acceptUnisolated: boolean;
  /** Groups whose members may accept it, for use in messages. */
  adminGroups: readonly string[];
}

/**
 * Returns whether an admin has accepted that workspaces run as plain processes of the
 * portal's user.
 *
 * @returns null if workspaces are isolated, so that no acceptance is needed.
 */
export async function isolationAcceptance({
  acceptUnisolated,
  runtime,
  store,
}: IsolationConsent): Promise<IsolationAcceptance | null> {
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

/**
 * Records that the caller accepts, for everyone, that workspaces run without isolation.
 *
 * @throws NotAllowedError if the caller is not a user.
 */
export async function recordAcceptance(
  { store }: { store: Pick<WorkspaceStore, 'recordIsolationConsent'> },
  { principal }: BackstageCredentials,
  now: Date,
): Promise<void> {
  if (!isUser(principal)) {
    throw new NotAllowedError(
      'Only an admin can accept this; a service token cannot',
    );
  }
  await store.recordIsolationConsent({
    givenBy: principal.userEntityRef,
    givenAt: now.toISOString(),
  });
}

function isUser(principal: unknown): principal is BackstageUserPrincipal {
  return (principal as { type?: string }).type === 'user';
}

/**
 * Prevents workspaces from starting without isolation until an admin has accepted that.
 *
 * @throws NotAllowedError naming who can accept it, and how.
 */
export async function assertIsolationAccepted(
  consent: IsolationConsent,
): Promise<void> {
  const acceptance = await isolationAcceptance(consent);
  if (acceptance && !acceptance.accepted) {
    throw new NotAllowedError(
      'Workspaces would run without isolation, with the rights of the portal. ' +
        `An admin (${consent.adminGroups.join(', ')}) must accept this once, ` +
        'on the Workspaces page or with POST /api/ide-launcher/isolation/consent',
    );
  }
}
