import { setImmediate as turn } from 'node:timers/promises';
import { RateLimitedError, type RateLimits } from '@slipway/service-kit';
import type { FastifyReply } from 'fastify';
import type { AnalyticsEvent } from '../events/AnalyticsEvent.ts';
import type { EventStore } from '../store/EventStore.ts';
import { projectBudget } from './CaptureGuard.ts';
import type { Drops } from './Drops.ts';
import { type Keeping, keepEvents } from './routes.ts';

/** Events admitted in one step, so that other work can run in between. */
const ADMITTED_AT_ONCE = 2_000;
const RETRY_S = 60;

/** Limits of one project's queued events. */
export interface BurstLimits {
  events: number;
  /** Characters of properties. */
  characters: number;
}

interface BurstsOptions extends Keeping {
  store: Pick<EventStore, 'append' | 'deferred'>;
  limits: RateLimits;
  /** The limit of events per project; undefined for none. */
  perMinute: number | undefined;
  most: BurstLimits;
  drops: Drops;
}

/**
 * Accepts SDK events beyond a project's limit per minute: queues them on disk, and admits
 * them in later minutes. An SDK that is asked to retry later would drop its events within
 * seconds. Events beyond the size of the queue are dropped and counted.
 */
export class Bursts {
  readonly #options: BurstsOptions;

  constructor(options: BurstsOptions) {
    this.#options = options;
  }

  /** @throws RateLimitedError if the queue of the project is full. */
  async assertRoom(projectId: string): Promise<void> {
    const { most, store } = this.#options;
    const { events, characters } = store.deferred.sizeOf(projectId);
    if (events >= most.events || characters >= most.characters) {
      throw new RateLimitedError(RETRY_S);
    }
  }

  /**
   * Resolves once the events are on disk, either admitted or queued. Preserves their
   * order.
   * @param to.reply - receives the rate limit headers.
   */
  async keep(
    to: { projectId: string; reply: FastifyReply },
    events: readonly AnalyticsEvent[],
  ): Promise<void> {
    const { projectId, reply } = to;
    const { store } = this.#options;
    const waits = store.deferred.sizeOf(projectId).events > 0;
    const granted = await this.#take(projectId, {
      // A request without events costs as much as one event.
      points: waits ? 0 : Math.max(1, events.length),
      reply,
    });
    const now = events.slice(0, granted);
    if (now.length > 0) {
      await keepEvents(now, this.#options);
    }
    await this.#defer(projectId, events.slice(now.length));
  }

  /** Admits queued events, as far as the limits of their projects allow. */
  async admit(signal: AbortSignal): Promise<void> {
    const { store, onKept } = this.#options;
    for (const projectId of store.deferred.projects()) {
      for (;;) {
        const { events } = store.deferred.sizeOf(projectId);
        const points = Math.min(events, ADMITTED_AT_ONCE);
        if (points === 0 || signal.aborted) {
          break;
        }
        const granted = await this.#take(projectId, { points });
        if (granted === 0) {
          break;
        }
        const { admitted, added } = store.deferred.admit(
          projectId,
          Math.min(granted, points),
        );
        onKept(projectId, { received: admitted, repeated: admitted - added });
        await turn();
      }
    }
  }

  async #defer(
    projectId: string,
    events: readonly AnalyticsEvent[],
  ): Promise<void> {
    const { most, store, drops } = this.#options;
    const size = store.deferred.sizeOf(projectId);
    let { characters } = size;
    const fitting = events
      .slice(0, Math.max(0, most.events - size.events))
      .filter(({ properties }) => {
        characters += properties.length;
        return characters <= most.characters;
      });
    if (fitting.length > 0) {
      await store.deferred.add(fitting);
    }
    const lost = events.length - fitting.length;
    if (lost > 0) {
      drops.add(projectId, { reason: 'over_limit', events: lost });
    }
  }

  async #take(
    projectId: string,
    options: { points: number; reply?: FastifyReply },
  ): Promise<number> {
    const { limits, perMinute } = this.#options;
    if (perMinute === undefined) {
      return options.points === 0 ? 0 : Infinity;
    }
    const budget = { id: projectBudget({ projectId }), perMinute };
    return limits.take({ budget, ...options });
  }
}
