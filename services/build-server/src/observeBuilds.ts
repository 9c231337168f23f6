import { Counter, Histogram } from 'prom-client';
import type { Build, StartedBuild } from './builds/Build.ts';
import type { Kit } from './config.ts';
import type { BuildReader } from './storage/BuildReader.ts';

/** Counts builds for `/metrics`. */
export function observeBuilds({ metrics }: Pick<Kit, 'metrics'>): {
  started(build: StartedBuild): void;
  ended(build: Build): void;
  watch(store: BuildReader): void;
} {
  const registers = [metrics.registry];
  const waits = new Histogram({
    name: 'build_wait_seconds',
    help: 'Seconds from when a build is due to its start',
    buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 30, 120, 600, 3_600],
    registers,
  });
  const ends = new Counter({
    name: 'builds_total',
    help: 'Builds that ended in this process',
    labelNames: ['result'],
    registers,
  });
  return {
    started({ startedAt, dueAt }) {
      waits.observe((startedAt - dueAt) / 1_000);
    },
    ended({ result }) {
      ends.inc({ result: result ?? 'none' });
    },
    watch(store) {
      metrics.cachedGauge({
        name: 'builds',
        help: 'Queued and running builds, by state',
        labelNames: ['state'],
        everySeconds: 5,
        async compute() {
          const { queued, running } = await store.count();
          return [
            { labels: { state: 'queued' }, value: queued },
            { labels: { state: 'running' }, value: running },
          ];
        },
      });
    },
  };
}
