import { setTimeout as delay } from 'node:timers/promises';
import { LoggerService } from '@backstage/backend-plugin-api';
import {
  backoff,
  ClusterForbiddenError,
  ClusterRefusedError,
  isExpired,
} from '@slipway/cluster-client';
import { ClusterApi, OperatorMissingError } from '../api/ClusterApi';
import type { WatchEvent } from '../api/watchResource';
import { WorkspaceCache } from './WorkspaceCache';

const FIRST_PAUSE_MS = 50;

/** Consecutive failures before a warning; a single broken connection is not worth reporting. */
const FAULTS_BEFORE_WARNING = 3;

/** A watch that lasted this long counts as successful, even without events. */
const GOOD_WATCH_MS = 5_000;

/** Delay if the operator is missing or access is denied, which will not change within seconds. */
const LASTING_FAULT_PAUSE_MS = 10_000;

/** Dependencies of {@link WorkspaceWatch}. */
interface WorkspaceWatchOptions {
  api: Pick<ClusterApi, 'listWorkspaces' | 'watchWorkspaces'>;
  cache: WorkspaceCache;
  labelSelector: string;
  logger: LoggerService;
  /** Maximum delay between two attempts. */
  backoffMaxMs: number;
}

/**
 * Keeps the cache up to date: lists once, then watches. A watch that ends or breaks continues
 * from its last position; if the cluster has discarded that position, the workspaces are listed
 * again. Only a list reveals what was deleted in the meantime.
 */
export class WorkspaceWatch {
  readonly #options: WorkspaceWatchOptions;
  readonly #abort = new AbortController();
  #running: Promise<void> | undefined;
  /** Position to continue from; undefined: list first. */
  #resourceVersion: string | undefined;
  #fault: Error | undefined;
  #faults = 0;

  constructor(options: WorkspaceWatchOptions) {
    this.#options = options;
  }

  /** Starts watching in the background. Later calls do nothing. */
  start(): void {
    this.#running ??= this.#run();
  }

  /** Returns the error that prevents watching the cluster, if it persists. */
  fault(): Error | undefined {
    return this.#fault;
  }

  /** Lists all workspaces now. @throws if the cluster is unreachable. */
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
          ended ??= this.#handle(event);
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
    // A normal end, but a watch that always ends immediately must not cause a busy loop.
    this.#faults += 1;
  }

  /** Handles one event of the watch. Returns the error if the event is one; no more events follow it. */
  #handle({ type, object }: WatchEvent): Error | undefined {
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
      // Not an error: clusters discard old positions. A new list includes all changes since.
      this.#resourceVersion = undefined;
      return;
    }
    if (isLasting(error)) {
      this.#resourceVersion = undefined;
    } else if (this.#faults < FAULTS_BEFORE_WARNING) {
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
