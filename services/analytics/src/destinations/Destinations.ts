import type { ServiceKit } from '@slipway/service-kit';
import type { Projects } from '../projects/Projects.ts';
import type { EventsPlan, PlanRows } from '../query/language/EventsPlan.ts';
import type { Destination } from './Destination.ts';
import { readArrived } from './readArrived.ts';
import type { DestinationStore, Progress } from './storage/DestinationStore.ts';

/** The lease of a replica that was killed ends after this time. */
const LEASE_MS = 120_000;
/** Maximum duration of one run, so that the lease lasts. */
const RUN_MS = 60_000;
const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 15 * 60_000;

/** A destination and how far it has received events. */
export interface DestinationState {
  readonly destination: Destination;
  /** Undefined before the first run. */
  readonly progress?: Progress;
}

/**
 * Sends the events of projects to their destinations, in the order of arrival. The store
 * of events is the outbox: a destination is a place in it, which advances after the
 * receiver has answered. So each event is sent at least once, also after a crash, and
 * capturing events costs nothing.
 */
export class Destinations {
  readonly #options: {
    destinations: readonly Destination[];
    store: DestinationStore;
    projects: Pick<Projects, 'get'>;
    /** Queries the store of events. */
    ask: (plan: EventsPlan) => Promise<PlanRows>;
    /** Returns up to when all events of a project are visible to queries. */
    completeUpTo: (projectId: string) => number;
    logger: Pick<ServiceKit['logger'], 'warn'>;
    now: () => number;
  };

  #isStarted = false;

  constructor(options: {
    destinations: readonly Destination[];
    store: DestinationStore;
    projects: Pick<Projects, 'get'>;
    ask: (plan: EventsPlan) => Promise<PlanRows>;
    completeUpTo: (projectId: string) => number;
    logger: Pick<ServiceKit['logger'], 'warn'>;
    now: () => number;
  }) {
    this.#options = options;
  }

  /** Lists the destinations of a project. */
  async list(projectId: string): Promise<DestinationState[]> {
    const { destinations, store } = this.#options;
    return Promise.all(
      destinations
        .filter(destination => destination.projectId === projectId)
        .map(async destination => ({
          destination,
          progress: await store.find(destination),
        })),
    );
  }

  /** False if the configuration has no destinations. */
  get isUsed(): boolean {
    return this.#options.destinations.length > 0;
  }

  /** Sends what has arrived; destinations do not wait for each other. */
  async send(signal: AbortSignal): Promise<void> {
    if (!this.#isStarted) {
      // A killed process may have left leases.
      await this.#options.store.releaseAll();
      this.#isStarted = true;
    }
    const ending = AbortSignal.any([signal, AbortSignal.timeout(RUN_MS)]);
    await Promise.all(
      this.#options.destinations.map(each => this.#sendTo(each, ending)),
    );
  }

  async #sendTo(destination: Destination, signal: AbortSignal): Promise<void> {
    const { store, logger, now } = this.#options;
    const progress = await store.lease(destination, {
      now: now(),
      until: now() + LEASE_MS,
    });
    if (!progress) {
      return;
    }
    try {
      await this.#sendFrom(destination, progress, signal);
    } catch (error) {
      if (!signal.aborted) {
        const pause = FIRST_PAUSE_MS * 2 ** Math.min(progress.failures, 10);
        const { projectId, id } = destination;
        logger.warn({ err: error, projectId, id }, 'A destination failed');
        await store.fail(destination, {
          error: (error as Error).message,
          nextAt: now() + Math.min(pause, LONGEST_PAUSE_MS),
        });
      }
    } finally {
      await store.release(destination);
    }
  }

  async #sendFrom(
    destination: Destination,
    { cursor }: Progress,
    signal: AbortSignal,
  ): Promise<void> {
    const { store, projects, ask, completeUpTo, now } = this.#options;
    const { projectId, sink, events: names } = destination;
    const { hidesPeople } = await projects.get(projectId);
    const before = sink.readyUpTo(completeUpTo(projectId));
    let after = cursor;
    while (!signal.aborted && after.at < before) {
      const found = await readArrived(
        {
          projectId,
          hidesPeople,
          ...(names && { events: names }),
          after,
          before,
          limit: sink.batchSize,
          now: now(),
        },
        ask,
      );
      if (found.length === 0) {
        await store.advance(destination, {
          cursor: { at: before, uuid: '' },
          events: 0,
          now: now(),
          until: now() + LEASE_MS,
        });
        return;
      }
      const end = sink.batchEnd(Date.parse(found[0].created_at));
      const events = found.filter(({ created_at: at }) => Date.parse(at) < end);
      await sink.send({ projectId, events }, signal);
      const last = events[events.length - 1];
      after = { at: Date.parse(last.created_at), uuid: last.uuid };
      await store.advance(destination, {
        cursor: after,
        events: events.length,
        now: now(),
        until: now() + LEASE_MS,
      });
    }
  }
}
