import { setTimeout as sleep } from 'node:timers/promises';
import type { JobService } from '../jobs/JobParts.ts';
import { type Interruption, type Output, withinOr } from './commands.ts';
import type { PlacedBuild } from './PlacedBuild.ts';
import { settleAll } from './settleAll.ts';

const READY_S = 60;
const POLL_MS = 500;

/** Programs running alongside the steps. */
export interface RunningServices {
  /** Reason why steps cannot start; null if all services are ready. */
  failure: string | null;
  /** Returns why one of them failed until now; null if none has. */
  failed(): string | null;
  /**
   * Stops them, and waits until they have ended.
   *
   * @throws the error of a service that could not run.
   */
  stop(): Promise<void>;
}

/**
 * Starts the services of a build and waits until they are ready.
 *
 * @throws Interruption
 */
export async function startServices(
  placed: PlacedBuild,
  services: readonly JobService[],
  signal: AbortSignal,
): Promise<RunningServices> {
  const unconnected =
    services.length > 0 &&
    (await placed.place.connect?.({
      signal,
      onWait: () =>
        placed.log.note(
          '==> Services wait for those of another build, with which they would share ports',
        ),
    }));
  if (unconnected) {
    return {
      failure: `Services cannot run: ${unconnected}`,
      failed: () => null,
      stop: async () => {},
    };
  }
  const end = new AbortController();
  const either = AbortSignal.any([signal, end.signal]);
  const ended = new Map<string, string | null>();
  const running = services.map(service => {
    const done = runService(placed, service, either).then(
      failure => void ended.set(service.name, failure),
      (error: unknown) => {
        ended.set(service.name, 'it could not run');
        throw error;
      },
    );
    // Thrown by `stop`, which comes only after the steps: Node ends a process whose error nobody handles.
    done.catch(() => undefined);
    return { service, done };
  });
  const failed = () => {
    const [first] = [...ended].filter(([, failure]) => failure !== null);
    return first ? `Service ${first[0]}: ${first[1]}` : null;
  };
  const stop = async () => {
    const reason: Interruption = {
      kind: 'stopped',
      by: 'the end of the steps',
    };
    end.abort(reason);
    await settleAll(running.map(({ done }) => done));
  };
  try {
    for (const { service } of running) {
      const failure = await untilReady(placed, service, {
        signal,
        endOf: () => ended.get(service.name),
      });
      if (failure !== null) {
        const reason = `Service ${service.name}: ${failure}`;
        return { failure: reason, failed, stop };
      }
      await placed.log.note(`==> Service ${service.name} is ready`);
    }
    return { failure: null, failed, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Runs a service until it is stopped or ends. @returns why it failed before it was stopped. */
async function runService(
  { place, log }: PlacedBuild,
  { name, run, image, environment = {} }: JobService,
  signal: AbortSignal,
): Promise<string | null> {
  const lines = log.lines(`[${name}] `);
  const output: Output = chunk => lines.write(chunk);
  try {
    const failure = await place.run({
      argv: run === undefined ? [] : ['/bin/sh', '-e', '-c', run],
      environment,
      service: { name, image },
      ...{ signal, output },
    });
    return failure;
  } catch (error) {
    if (signal.aborted) {
      return null;
    }
    throw error;
  } finally {
    await lines.end();
  }
}

async function untilReady(
  { place }: PlacedBuild,
  { ready, readySeconds = READY_S }: JobService,
  options: { signal: AbortSignal; endOf(): string | null | undefined },
): Promise<string | null> {
  const { signal, endOf } = options;
  const silent: Output = async () => {};
  const late = `it was not ready within ${readySeconds} seconds`;
  return withinOr<string | null>(
    late,
    readySeconds * 1_000,
    signal,
    async limited => {
      for (;;) {
        const ended = endOf();
        if (ended !== undefined) {
          return ended ?? 'it ended';
        }
        const failure =
          ready === undefined
            ? null
            : await place.run({
                argv: ['/bin/sh', '-e', '-c', ready],
                environment: {},
                isInternal: true,
                signal: limited,
                output: silent,
              });
        if (failure === null) {
          // If the service itself has failed, it was another program that passed the check.
          return endOf() ?? null;
        }
        await sleep(POLL_MS, undefined, { signal: limited }).catch(() => {});
        limited.throwIfAborted();
      }
    },
  );
}
