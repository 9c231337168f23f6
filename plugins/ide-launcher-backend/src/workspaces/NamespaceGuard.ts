import { createHash } from 'node:crypto';
import { ConflictError, NotAllowedError } from '@backstage/errors';
import { Caller } from '@slipway/portal-kit';
import { WorkspaceRuntime } from '../runtimes/WorkspaceRuntime';
import { checkNamespaceOwner } from './storage/namespaces';
import { WorkspaceStore } from './storage/WorkspaceStore';

/** What every caller's own namespace ends in. */
const OWN_SUFFIX = '-workspaces';
const HASH_LENGTH = 6;

/**
 * The namespace of a caller who names none: `<user>-workspaces`. Whoever could
 * share it with such a user is told apart by a hash: users of another entity
 * namespace than `default`, those whose name is no DNS label as it stands
 * (`kim.lee` beside `kim-lee`), and service tokens.
 */
export function defaultNamespace({ name, ref }: Caller): string {
  if (ref.toLocaleLowerCase('en-US') === `user:default/${name}`) {
    return `${name}${OWN_SUFFIX}`;
  }
  const hash = createHash('sha256').update(ref).digest('hex');
  const short = name.slice(0, 63 - OWN_SUFFIX.length - HASH_LENGTH - 1);
  return `${short}-${hash.slice(0, HASH_LENGTH)}${OWN_SUFFIX}`;
}

/** Keeps callers out of each other's namespaces. */
export class NamespaceGuard {
  readonly #store: Pick<WorkspaceStore, 'namespaceOwner'>;
  readonly #runtime: Pick<WorkspaceRuntime, 'checkPlace'>;

  constructor(options: {
    store: Pick<WorkspaceStore, 'namespaceOwner'>;
    runtime: Pick<WorkspaceRuntime, 'checkPlace'>;
  }) {
    this.#store = options.store;
    this.#runtime = options.runtime;
  }

  /** @throws NotAllowedError when the namespace is another's, or kept for another. */
  async check(caller: Caller, namespace: string): Promise<void> {
    const own = namespace === defaultNamespace(caller);
    if (!own && namespace.endsWith(OWN_SUFFIX)) {
      throw new NotAllowedError(
        `Namespace '${namespace}' is kept for the user it is named after; yours is '${defaultNamespace(
          caller,
        )}'`,
      );
    }
    checkNamespaceOwner(
      { name: namespace, owner: caller.ref },
      await this.#store.namespaceOwner(namespace),
    );
    await this.checkPlace({ namespace, owner: caller.ref });
  }

  /**
   * Asks the place where workspaces run. One that cannot be asked keeps nobody
   * from creating: the start will say what is wrong.
   *
   * @throws NotAllowedError when the namespace is another's; ConflictError when the name is taken.
   */
  async checkPlace(place: {
    namespace: string;
    name?: string;
    owner: string;
  }): Promise<void> {
    try {
      await this.#runtime.checkPlace?.(place);
    } catch (error) {
      if (error instanceof NotAllowedError || error instanceof ConflictError) {
        throw error;
      }
    }
  }
}
