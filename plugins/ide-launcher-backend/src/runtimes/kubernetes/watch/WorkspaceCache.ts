import { ServiceUnavailableError } from '@backstage/errors';
import { ClusterApi } from '../api/ClusterApi';
import { workspaceIdOf, DevWorkspace } from '../objects/types';

/**
 * Maximum number of remembered uids of deleted objects. Late events arrive after seconds, not
 * after thousands of deletions.
 */
const MAX_REMEMBERED_UIDS = 1_000;

/** Called on every change of the cache. `undefined`: the workspace is gone. */
type CacheListener = (
  now: DevWorkspace | undefined,
  before: DevWorkspace | undefined,
) => void;

/**
 * Caches the latest known state of the cluster's workspaces. Responses to requests and events of
 * a watch may arrive out of order, so older states are dropped.
 */
export class WorkspaceCache {
  readonly #byKey = new Map<string, DevWorkspace>();
  /** Uids of deleted workspaces. Uids are never reused, so later events with one of these are dropped. */
  readonly #gone = new Set<string>();
  readonly #listeners = new Set<CacheListener>();

  /** Returns all cached workspaces. */
  all(): DevWorkspace[] {
    return [...this.#byKey.values()];
  }

  /** Returns the cached workspace with this id: a list of one or none. */
  withId(id: string): DevWorkspace[] {
    return this.all().filter(workspace => workspaceIdOf(workspace) === id);
  }

  /** Calls the listener on every change. @returns an unsubscribe function. */
  onChange(listener: CacheListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Stores a workspace from an event or a response, unless a newer state is known. */
  set(workspace: DevWorkspace): void {
    const key = keyOf(workspace);
    const known = this.#byKey.get(key);
    const { uid, resourceVersion } = workspace.metadata;
    if (
      (uid && this.#gone.has(uid)) ||
      (known && isOlder(resourceVersion, known.metadata.resourceVersion))
    ) {
      return;
    }
    this.#byKey.set(key, workspace);
    this.#notify(workspace, known);
  }

  /** Removes a deleted workspace, unless it has been created again since. */
  delete(workspace: DevWorkspace): void {
    const key = keyOf(workspace);
    const known = this.#byKey.get(key);
    const { uid } = workspace.metadata;
    this.#forget(uid);
    if (!known || known.metadata.uid !== uid) {
      return;
    }
    this.#byKey.delete(key);
    this.#notify(undefined, known);
  }

  /**
   * Replaces the content with a complete list: removes workspaces that are not in it, unless
   * they are newer than the list.
   */
  replace(workspaces: DevWorkspace[], resourceVersion: string): void {
    const listed = new Set(workspaces.map(keyOf));
    for (const known of this.all()) {
      const { metadata } = known;
      if (
        !listed.has(keyOf(known)) &&
        !isOlder(resourceVersion, metadata.resourceVersion)
      ) {
        this.delete(known);
      }
    }
    workspaces.forEach(workspace => this.set(workspace));
  }

  #forget(uid: string | undefined): void {
    if (uid) {
      this.#gone.add(uid);
      const [oldest] = this.#gone;
      if (this.#gone.size > MAX_REMEMBERED_UIDS) {
        this.#gone.delete(oldest);
      }
    }
  }

  #notify(
    now: DevWorkspace | undefined,
    before: DevWorkspace | undefined,
  ): void {
    this.#listeners.forEach(listener => listener(now, before));
  }
}

function keyOf({ metadata }: DevWorkspace): string {
  return `${metadata.namespace}/${metadata.name}`;
}

/**
 * Returns whether an object is older than another. Resource versions are positions in one log of
 * the whole cluster, so they also order different objects with the same name.
 */
function isOlder(
  candidate: string | undefined,
  known: string | undefined,
): boolean {
  return (
    isPosition(candidate) &&
    isPosition(known) &&
    BigInt(candidate) < BigInt(known)
  );
}

function isPosition(version: string | undefined): version is string {
  return version !== undefined && /^\d+$/.test(version);
}

/**
 * Follows one object until `decide` returns a result. The watch reports changes immediately; the
 * object is also polled, in case the watch has silently died.
 *
 * @param options.decide - Called with each state, `undefined` if the object is gone; returns
 * undefined to continue waiting, throws to give up.
 * @param options.onTick - Called on each poll.
 * @throws errors of `decide`; the signal's reason; ServiceUnavailableError with `late()` after
 * `timeoutMs`.
 */
export async function waitForWorkspace<T>(options: {
  api: Pick<ClusterApi, 'getWorkspace'>;
  cache: WorkspaceCache;
  workspace: DevWorkspace;
  timeoutMs: number;
  intervalMs: number;
  signal?: AbortSignal;
  decide(workspace: DevWorkspace | undefined): T | undefined;
  late(): string;
  onTick?(workspace: DevWorkspace): Promise<void>;
}): Promise<T> {
  const { api, cache, decide, signal, workspace } = options;
  const { name, namespace = '', uid } = workspace.metadata;
  const isSame = (other: DevWorkspace | undefined) =>
    other?.metadata.uid === uid;
  const cleanUps: (() => void)[] = [];
  try {
    return await new Promise<T>((resolve, reject) => {
      const look = (now: DevWorkspace | undefined) => {
        try {
          const decided = decide(now);
          if (decided !== undefined) {
            resolve(decided);
          }
        } catch (error) {
          reject(error);
        }
      };
      const read = async () => {
        const found = await api.getWorkspace({ name, namespace });
        if (found && isSame(found)) {
          cache.set(found);
          await options.onTick?.(found);
        } else {
          cache.delete(workspace);
          look(undefined);
        }
      };
      const tick = setInterval(
        // After a failed poll, the next one or the watch reports the state.
        () => void read().catch(() => undefined),
        options.intervalMs,
      );
      const timer = setTimeout(
        () => reject(new ServiceUnavailableError(options.late())),
        options.timeoutMs,
      );
      const abort = () => reject(signal?.reason);
      signal?.addEventListener('abort', abort);
      cleanUps.push(
        () => clearInterval(tick),
        () => clearTimeout(timer),
        () => signal?.removeEventListener('abort', abort),
        cache.onChange((now, before) => {
          if (isSame(now)) {
            look(now);
          } else if (isSame(before)) {
            look(undefined);
          }
        }),
      );
      if (signal?.aborted) {
        abort();
      }
      look(cache.all().find(isSame) ?? workspace);
    });
  } finally {
    cleanUps.forEach(cleanUp => cleanUp());
  }
}
