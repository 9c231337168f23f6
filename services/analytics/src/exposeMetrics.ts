import type { Metrics } from '@slipway/service-kit';
import { Counter, Gauge } from 'prom-client';
import type { EventStore } from './store/EventStore.ts';

/** What operators see of events. */
export interface EventCounters {
  kept(events: number, added: number): void;
  refused(events: number): void;
}

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
