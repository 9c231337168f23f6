import {
  ConflictError,
  ServiceError,
  type ServiceKit,
} from '@slipway/service-kit';
import type { ExportedEvent } from '../export/eventPages.ts';
import type { Projects } from '../projects/Projects.ts';
import type { EventsPlan, PlanRows } from '../query/language/Expression.ts';
import { readFewer } from '../store/readFewer.ts';
import { BatchSize } from './BatchSize.ts';
import type { Destination, DestinationKey, Sink } from './Destination.ts';
import type { ManagedDestinations } from './ManagedDestinations.ts';
import { createTestEvent, readArrived } from './readArrived.ts';
import type {
  Delivery,
  DestinationStore,
  Lease,
  Progress,
} from './storage/DestinationStore.ts';

/** Duration of a lease in milliseconds; a killed replica's lease ends after this time. */
const LEASE_MS = 120_000;
/** Maximum duration of one run in milliseconds, so that its lease does not expire. */
const RUN_MS = 60_000;
const TIMEOUT_MS = 30_000;
/** Timeout of a test in milliseconds; short, because its caller waits. */
const TEST_TIMEOUT_MS = 10_000;
const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 15 * 60_000;
/** The HTTP status with which a receiver refuses a request as too large. */
const TOO_LARGE = 413;

/** A destination and how far it has received events. */
export interface DestinationState {
  readonly destination: Destination;
  /** Undefined before the first run. */
  readonly progress?: Progress;
}

interface DestinationsOptions {
  managed: Pick<ManagedDestinations, 'list' | 'get'>;
  store: DestinationStore;
  projects: Pick<Projects, 'get'>;
  /** Queries the store of events. */
  ask: (plan: EventsPlan) => Promise<PlanRows>;
  /** Returns the time of arrival up to which queries see all events of a project. */
  completeUpTo: (projectId: string) => Promise<number>;
  logger: Pick<ServiceKit['logger'], 'warn'>;
  now: () => number;
}

/**
 * Sends the events of projects to their destinations, in order of arrival. The event store
 * is the outbox: each destination has a position in it, which advances once the receiver
 * has responded. So each event is sent at least once, even after a crash, and capturing
 * events costs nothing extra. Only an event that is too large for the receiver is skipped,
 * unless many in a row are.
 */
export class Destinations {
  readonly #options: DestinationsOptions;
  readonly #sizes = new Map<string, BatchSize>();
  #isStarted = false;

  constructor(options: DestinationsOptions) {
    this.#options = options;
  }

  /** Lists the destinations of a project, or of all projects. */
  async list(projectId?: string): Promise<DestinationState[]> {
    const destinations = await this.#options.managed.list(projectId);
    return Promise.all(destinations.map(each => this.stateOf(each)));
  }

  async stateOf(destination: Destination): Promise<DestinationState> {
    const progress = await this.#options.store.find(destination);
    return { destination, progress };
  }

  /** Lists the last deliveries to a destination, newest first. @throws NotFoundError */
  async deliveries(key: DestinationKey): Promise<Delivery[]> {
    return this.#options.store.deliveries(await this.#options.managed.get(key));
  }

  /**
   * Sends a fictitious event, even if the destination is paused.
   * @throws NotFoundError
   * @throws ConflictError if its secrets cannot be decrypted.
   */
  async test(key: DestinationKey): Promise<Delivery> {
    const { managed, store, now } = this.#options;
    const destination = await managed.get(key);
    const { sink } = destination;
    if (!sink) {
      throw new ConflictError(
        'Its secrets were encrypted with another analytics.secretsKey; edit it and enter them again',
      );
    }
    const delivery = await this.#deliver({ ...destination, sink }, [
      createTestEvent(now()),
    ]);
    await store.recordTest(destination, delivery);
    return delivery;
  }

  /** Sends the events that have arrived, to all destinations concurrently. */
  async send(signal: AbortSignal): Promise<void> {
    const { managed, store } = this.#options;
    if (!this.#isStarted) {
      // A killed process may have left leases.
      await store.releaseAll();
      this.#isStarted = true;
    }
    const ending = AbortSignal.any([signal, AbortSignal.timeout(RUN_MS)]);
    await Promise.all(
      (await managed.list()).map(async destination => {
        const { sink, isPaused } = destination;
        if (sink && !isPaused) {
          await this.#sendTo({ ...destination, sink }, ending);
        }
      }),
    );
  }

  async #sendTo(
    destination: Destination & { sink: Sink },
    signal: AbortSignal,
  ): Promise<void> {
    const { store, now } = this.#options;
    const leased = await store.lease(destination, {
      now: now(),
      until: now() + LEASE_MS,
    });
    if (!leased) {
      return;
    }
    const run = { ...leased, destination, signal };
    try {
      await this.#sendFrom(run);
    } catch (error) {
      if (!signal.aborted) {
        const message =
          error instanceof ServiceError
            ? error.message
            : 'Reading the events failed';
        await this.#fail(run, { error: message, cause: error });
      }
    } finally {
      await store.release(run.lease);
    }
  }

  async #sendFrom(run: Run): Promise<void> {
    const { store, completeUpTo, logger, now } = this.#options;
    const { destination, signal } = run;
    const { projectId, sink } = destination;
    const before = sink.readyUpTo(await completeUpTo(projectId));
    while (!signal.aborted && run.progress.cursor.at < before) {
      const events = await this.#read(run, before);
      const [last] = events.slice(-1);
      const cursor = last
        ? { at: Date.parse(last.created_at), uuid: last.uuid }
        : { at: before, uuid: '' };
      const delivery =
        last && (await this.#deliver(destination, events, signal));
      if (signal.aborted) {
        return;
      }
      const size = this.#sizeOf(destination);
      if (delivery?.status === TOO_LARGE && events.length > 1) {
        size.halve(events.length);
        continue;
      }
      const isSkipped = delivery?.status === TOO_LARGE && size.maySkip();
      if (delivery?.error && !isSkipped) {
        await this.#fail(run, { error: delivery.error, delivery });
        return;
      }
      if (isSkipped) {
        size.forget();
        logger.warn(
          { projectId, id: destination.id, uuid: last.uuid },
          'Skipped an event that is too large for a destination',
        );
      } else if (delivery) {
        size.accept();
      }
      const lease = await store.advance(run.lease, {
        cursor,
        ...(delivery && {
          delivery: isSkipped
            ? { ...delivery, error: `${delivery.error}: skipped ${last.uuid}` }
            : delivery,
        }),
        until: now() + LEASE_MS,
      });
      if (!lease) {
        return;
      }
      run.lease = lease;
      const failures = delivery ? 0 : run.progress.failures;
      run.progress = { ...run.progress, cursor, failures };
    }
  }

  /** Reads the events of the next batch; none if there are no more. */
  async #read(
    { destination, progress, signal }: Run,
    before: number,
  ): Promise<ExportedEvent[]> {
    const { projects, ask, now } = this.#options;
    const { projectId, sink, events: names } = destination;
    const { hidesPeople } = await projects.get(projectId);
    const size = this.#sizeOf(destination);
    const { found, limit } = await readFewer(
      size.within(sink.batchSize),
      async most => {
        signal.throwIfAborted();
        size.limit(most);
        return readArrived(
          {
            projectId,
            hidesPeople,
            ...(names && { events: names }),
            after: progress.cursor,
            before,
            limit: most,
            now: now(),
          },
          ask,
        );
      },
    );
    size.limit(2 * limit);
    if (found.length === 0) {
      return [];
    }
    const end = sink.batchEnd(Date.parse(found[0].created_at));
    return found.filter(({ created_at: at }) => Date.parse(at) < end);
  }

  #sizeOf({ projectId, id }: DestinationKey): BatchSize {
    const name = `${projectId}\n${id}`;
    const size = this.#sizes.get(name) ?? new BatchSize();
    this.#sizes.set(name, size);
    return size;
  }

  /** @param signal - aborts the delivery; a test has none, but a timeout of its own. */
  async #deliver(
    { projectId, sink }: Destination & { sink: Sink },
    events: readonly ExportedEvent[],
    signal?: AbortSignal,
  ): Promise<Delivery> {
    const isTest = signal === undefined;
    const timeoutMs = isTest ? TEST_TIMEOUT_MS : TIMEOUT_MS;
    const begin = performance.now();
    const { status, error } = await sink.send(
      { projectId, events, isTest },
      { signal: signal ?? AbortSignal.timeout(timeoutMs), timeoutMs },
    );
    return {
      at: this.#options.now(),
      events: events.length,
      status,
      error,
      durationMs: Math.round(performance.now() - begin),
      isTest,
    };
  }

  async #fail(
    { destination, lease, progress }: Run,
    failure: { error: string; cause?: unknown; delivery?: Delivery },
  ): Promise<void> {
    const { store, logger, now } = this.#options;
    const { error, cause, delivery } = failure;
    const { projectId, id } = destination;
    logger.warn({ err: cause ?? error, projectId, id }, 'A destination failed');
    const pause = FIRST_PAUSE_MS * 2 ** Math.min(progress.failures, 10);
    await store.fail(lease, {
      error,
      nextAt: now() + Math.min(pause, LONGEST_PAUSE_MS),
      ...(delivery && { delivery }),
    });
  }
}

/** One run of sending to a leased destination. */
interface Run {
  readonly destination: Destination & { sink: Sink };
  readonly signal: AbortSignal;
  lease: Lease;
  progress: Progress;
}
