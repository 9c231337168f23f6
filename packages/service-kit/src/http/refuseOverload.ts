import { monitorEventLoopDelay } from 'node:perf_hooks';
import { UnavailableError } from '../errors/ServiceError.ts';
import type { ServiceApp } from './ServiceApp.ts';

/**
 * Grace period after startup: delays caused by loading and migrating say nothing about later
 * requests.
 */
const START_UP_MS = 2_500;

/** Interval at which the event loop delay is measured. */
const SAMPLE_MS = 1_000;

/**
 * Limits of the resolution of the delay measurement, whose timer runs at a twentieth of the maximum
 * delay. An idle service need not wake up a hundred times per second to detect delays of seconds.
 */
const RESOLUTION_MS = { min: 10, max: 50 };

/**
 * Rejects requests with 503 while the event loop is delayed, except those of operators, who must be
 * able to inspect an overloaded service.
 *
 * @param options.eventLoopDelay - maximum mean delay within a second, in milliseconds.
 */
export function refuseOverload(
  app: ServiceApp,
  { eventLoopDelay }: { eventLoopDelay: number },
): void {
  const resolution = Math.min(
    Math.max(Math.round(eventLoopDelay / 20), RESOLUTION_MS.min),
    RESOLUTION_MS.max,
  );
  const delays = monitorEventLoopDelay({ resolution });
  delays.enable();
  let startedAt = performance.now();
  let isOverloaded = false;
  const timer = setInterval(() => {
    const { mean } = delays;
    delays.reset();
    // `mean` is NaN if the loop was blocked during the whole sample.
    const delay = Number.isNaN(mean) ? SAMPLE_MS : mean / 1e6 - resolution;
    const isStarting = performance.now() - startedAt < START_UP_MS;
    isOverloaded = !isStarting && delay > eventLoopDelay;
  }, SAMPLE_MS);
  timer.unref();
  app.addHook('onListen', async () => {
    startedAt = performance.now();
  });
  app.addHook('onClose', async () => {
    clearInterval(timer);
    delays.disable();
  });
  app.addHook('onRequest', (request, _reply, done) => {
    if (isOverloaded && !request.routeConfig.operational) {
      done(
        new UnavailableError('The service is overloaded', {
          retryAfterSeconds: 10,
        }),
      );
    } else {
      done();
    }
  });
}
