import { setTimeout as delay } from 'node:timers/promises';
import { LoggerService } from '@backstage/backend-plugin-api';
import { ClusterApi, WatchEvent } from '../api/ClusterApi';
import {
  ClusterForbiddenError,
  ClusterRefusedError,
  isExpired,
  OperatorMissingError,
} from '../api/errors';
import { backoff } from '../api/ClusterRequests';
import { WorkspaceCache } from './WorkspaceCache';

const FIRST_PAUSE_MS = 50;

/** A connection that breaks now and then is no news; one that does not come back is. */
const FAULTS_WORTH_SAYING = 3;

/** A watch that lived this long was a good one, even if it had nothing to tell. */
const GOOD_WATCH_MS = 5_000;

/** A cluster without the operator, or one that refuses us, is not asked every second. */
const LASTING_FAULT_PAUSE_MS = 10_000;

/** What a {@link WorkspaceWatch} works with. */
interface WorkspaceWatchOptions {
  api: Pick<ClusterApi, 'listWorkspaces' | 'watchWorkspaces'>;
  cache: WorkspaceCache;
  labelSelector: string;
  logger: LoggerService;
  /** Longest pause between two attempts. */
  backoffMaxMs: number;
}

/**
 * Keeps the cache true: lists once, then watches. A watch that ends or breaks
 * goes on where it was; one whose position the cluster has forgotten lists
 * again. Only a list knows what was deleted meanwhile.
 */
export class WorkspaceWatch {
  readonly #options: WorkspaceWatchOptions;
  readonly #abort = new AbortController();
  #running: Promise<void> | undefined;
  /** Position to go on from; undefined: list first. */
  #resourceVersion: string | undefined;
  #fault: Error | undefined;
  #faults = 0;

  constructor(options: WorkspaceWatchOptions) {
    this.#options = options;
  }

  /** Begins, once; returns at once. */
  start(): void {
    this.#running ??= this.#run();
  }

  /** What keeps the cluster from being watched, and not only for a moment. */
  fault(): Error | undefined {
    return this.#fault;
  }

  /** Lists everything now. @throws when the cluster cannot be asked. */
  async list(): Promise<void> {
    const { api, cache, labelSelector } = this.#options;
    const { items, resourceVersion } = await api.listWorkspaces(labelSelector);
    cache.replace(items, resourceVersion);
    this.#resourceVersion = resourceVersion;
    this.#recovered();
  }

  async stop(): Promise<void> {
    this.#abort.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#abort;
    while (!signal.aborted) {
      try {
        if (this.#resourceVersion === undefined) {
          await this.list();
        }
        await this.#watch(this.#resourceVersion ?? '');
      } catch (error) {
        this.#failed(error as Error);
      }
      await delay(this.#pause(), undefined, { signal }).catch(() => undefined);
    }
  }

  async #watch(resourceVersion: string): Promise<void> {
    const { api, labelSelector } = this.#options;
    let ended: Error | undefined;
    let opened = Infinity;
    try {
      await api.watchWorkspaces({
        labelSelector,
        resourceVersion,
        signal: this.#abort.signal,
        onOpen: () => {
          opened = Date.now();
          this.#clearFault();
        },
        onEvent: event => {
          ended ??= this.#take(event);
        },
      });
    } finally {
      if (Date.now() - opened > GOOD_WATCH_MS) {
        this.#faults = 0;
      }
    }
    if (ended) {
      throw ended;
    }
    // It ended in good order, but one that ends at once must not spin.
    this.#faults += 1;
  }

  /** @returns the error that a watch reports in its stream, and after which nothing else comes. */
  #take({ type, object }: WatchEvent): Error | undefined {
    const { cache } = this.#options;
    switch (type) {
      case 'ERROR': {
        const status = object as unknown as {
          code?: number;
          message?: string;
          reason?: string;
        };
        return new ClusterRefusedError(
          `The cluster ended the watch: ${status.message}`,
          status.code ?? 500,
          status.reason ?? '',
        );
      }
      case 'DELETED':
        cache.delete(object);
        break;
      case 'ADDED':
      case 'MODIFIED':
        cache.set(object);
        break;
      default:
    }
    this.#resourceVersion =
      object.metadata.resourceVersion ?? this.#resourceVersion;
    this.#recovered();
    return undefined;
  }

  #failed(error: Error): void {
    if (this.#abort.signal.aborted) {
      return;
    }
    this.#faults += 1;
    if (isExpired(error)) {
      // No fault: clusters forget old positions. What happened meanwhile is in the list.
      this.#resourceVersion = undefined;
      return;
    }
    if (isLasting(error)) {
      this.#resourceVersion = undefined;
    } else if (this.#faults < FAULTS_WORTH_SAYING) {
      return;
    }
    if (this.#fault?.message !== error.message) {
      this.#options.logger.warn(
        `Workspaces cannot be watched: ${error.message}`,
      );
    }
    this.#fault = error;
  }

  #recovered(): void {
    this.#faults = 0;
    this.#clearFault();
  }

  #clearFault(): void {
    if (this.#fault) {
      this.#options.logger.info('Workspaces are watched again');
    }
    this.#fault = undefined;
  }

  #pause(): number {
    if (this.#fault && isLasting(this.#fault)) {
      return LASTING_FAULT_PAUSE_MS;
    }
    return this.#faults === 0
      ? 0
      : backoff(this.#faults - 1, {
          firstMs: FIRST_PAUSE_MS,
          maxMs: this.#options.backoffMaxMs,
        });
  }
}

function isLasting(error: Error): boolean {
  return (
    error instanceof OperatorMissingError ||
    error instanceof ClusterForbiddenError
  );
}
