import type { Metrics } from '@slipway/service-kit';
import { Counter, Gauge } from 'prom-client';
import type { DropReason } from '../capture/sdkEvents.ts';
import type { EventStore } from '../store/EventStore.ts';
import type { Intake } from './IngestionCounts.ts';

/** Counters of events, for operators. */
export interface EventCounters {
  /** Counts received events. */
  kept(intake: Intake): void;
  /** Counts the events of a request that was rejected as a whole by the rate limit. */
  refused(events: number): void;
  /** Counts dropped SDK events. */
  dropped(reason: DropReason, events: number): void;
}

/**
 * Registers the metrics of events. Each scrape reads the state of the store; the code that
 * receives events increments the returned counters.
 */
export function exposeMetrics(
  { registry }: Metrics,
  store: Pick<EventStore, 'state' | 'deferred'>,
): EventCounters {
  const registers = [registry];
  const kept = new Counter({
    name: 'analytics_events_total',
    help: 'Events received: stored, or skipped as duplicates',
    labelNames: ['outcome'],
    registers,
  });
  const refused = new Counter({
    name: 'analytics_events_refused_total',
    help: 'Events rejected by the routes of the contract because their project exceeded its limit; retries count again',
    registers,
  });
  const dropped = new Counter({
    name: 'analytics_events_dropped_total',
    help: 'Lost events of SDKs',
    labelNames: ['reason'],
    registers,
  });
  registry.registerMetric(
    new Gauge({
      name: 'analytics_event_engine',
      help: '1 for the engine that runs queries',
      labelNames: ['engine'],
      registers: [],
      collect() {
        const { engine } = store.state();
        for (const each of ['chdb', 'clickhouse', 'sqlite']) {
          this.set({ engine: each }, engine === each ? 1 : 0);
        }
      },
    }),
  );
  registry.registerMetric(
    new Gauge({
      name: 'analytics_events_waiting',
      help: 'Stored events that wait to be moved to the column store',
      registers: [],
      collect() {
        this.set(store.state().waiting);
      },
    }),
  );
  registry.registerMetric(
    new Gauge({
      name: 'analytics_events_deferred',
      help: 'Stored events that wait until the limit of their project allows them',
      registers: [],
      collect() {
        const { deferred } = store;
        const sizes = deferred
          .projects()
          .map(projectId => deferred.sizeOf(projectId).events);
        this.set(sizes.reduce((sum, size) => sum + size, 0));
      },
    }),
  );
  return {
    kept({ received, repeated }) {
      kept.inc({ outcome: 'kept' }, received - repeated);
      kept.inc({ outcome: 'duplicate' }, repeated);
    },
    refused: events => refused.inc(events),
    dropped: (reason, events) => dropped.inc({ reason }, events),
  };
}
