import type { Metrics } from '@slipway/service-kit';
import { Counter, Gauge } from 'prom-client';
import type { EventStore } from './store/EventStore.ts';

/** What operators see of events. */
export interface EventCounters {
  /** `added` of `events` were new; the others had been sent before. */
  kept(events: number, added: number): void;
  /** Events of a request that was refused whole, as too many came in the minute. */
  refused(events: number): void;
}

/**
 * Registers the metrics of events. What the store is like is asked for at each scrape,
 * what was taken in is told by whoever takes it.
 */
export function exposeMetrics(
  { registry }: Metrics,
  store: Pick<EventStore, 'state'>,
): EventCounters {
  const registers = [registry];
  const kept = new Counter({
    name: 'analytics_events_total',
    help: 'Events that were taken in: kept, or left out as sent before',
    labelNames: ['outcome'],
    registers,
  });
  const refused = new Counter({
    name: 'analytics_events_refused_total',
    help: 'Events refused because their project had sent too many in the minute',
    registers,
  });
  registry.registerMetric(
    new Gauge({
      name: 'analytics_event_engine',
      help: '1 for the engine that answers questions',
      labelNames: ['engine'],
      registers: [],
      collect() {
        const { engine } = store.state();
        this.set({ engine: 'chdb' }, engine === 'chdb' ? 1 : 0);
        this.set({ engine: 'sqlite' }, engine === 'sqlite' ? 1 : 0);
      },
    }),
  );
  registry.registerMetric(
    new Gauge({
      name: 'analytics_events_waiting',
      help: 'Events that are kept and wait to be moved into the column store',
      registers: [],
      collect() {
        this.set(store.state().waiting);
      },
    }),
  );
  return {
    kept(events, added) {
      kept.inc({ outcome: 'kept' }, added);
      kept.inc({ outcome: 'duplicate' }, events - added);
    },
    refused: events => refused.inc(events),
  };
}
