import { ServiceUnavailableError } from '@backstage/errors';
import { ClusterApi } from '../api/ClusterApi';
import { workspaceIdOf, DevWorkspace } from '../objects/types';

/** Events of an object that was deleted come late by seconds, not by thousands of deletions. */
const MAX_REMEMBERED_UIDS = 1_000;

/** Told of every change of the cache. `undefined`: the workspace is gone. */
type CacheListener = (
  now: DevWorkspace | undefined,
  before: DevWorkspace | undefined,
) => void;

/**
 * The workspaces of the cluster as last heard of. Answers to requests and events
 * of a watch arrive by different ways and may overtake each other: what is older
 * than what is known is dropped.
 */
export class WorkspaceCache {
  readonly #byKey = new Map<string, DevWorkspace>();
  /** Uids are never used twice: what is said late of one of these is dropped. */
  readonly #gone = new Set<string>();
  readonly #listeners = new Set<CacheListener>();

  /** Everything that is known. */
  all(): DevWorkspace[] {
    return [...this.#byKey.values()];
  }

  /** What is known of the workspace with this id: one, or none. */
  withId(id: string): DevWorkspace[] {
    return this.all().filter(workspace => workspaceIdOf(workspace) === id);
  }

  /** Calls the listener with every change. @returns an unsubscribe function. */
  onChange(listener: CacheListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Takes a workspace that was added, changed or answered. */
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
    this.#tell(workspace, known);
  }

  /** Takes the end of a workspace; of one that has been made anew since, nothing is lost. */
  delete(workspace: DevWorkspace): void {
    const key = keyOf(workspace);
    const known = this.#byKey.get(key);
    const { uid } = workspace.metadata;
    this.#forget(uid);
    if (!known || known.metadata.uid !== uid) {
      return;
    }
    this.#byKey.delete(key);
    this.#tell(undefined, known);
  }

  /** Takes a complete list: what is not in it is gone, unless it is younger than the list. */
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

  #tell(now: DevWorkspace | undefined, before: DevWorkspace | undefined): void {
    this.#listeners.forEach(listener => listener(now, before));
  }
}

function keyOf({ metadata }: DevWorkspace): string {
  return `${metadata.namespace}/${metadata.name}`;
}

/** Resource versions are positions in one log of the whole cluster, so they also order objects of one name. */
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
 * Follows one object until `decide` has an answer. The watch tells at once; now
 * and then the object is read as well, so that a watch that is silently dead
 * keeps nobody waiting.
 *
 * @param options.decide - Called with each state, `undefined` when it is gone; returns undefined to go on waiting, throws to give up.
 * @param options.onTick - Called with each reading.
 * @throws what `decide` throws; the signal's reason; ServiceUnavailableError with `late()` after `timeoutMs`.
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
        // A reading that fails is made up for by the next one, or by the watch.
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
