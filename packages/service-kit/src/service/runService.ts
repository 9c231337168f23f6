import type { TObject } from 'typebox';
import {
  findFaults,
  findRepositoryRoot,
  readSection,
} from '../config/readSection.ts';
import { boundHeap, releaseStartUpMemory } from './heap.ts';
import { createService, type Service } from './createService.ts';
import type { ServiceDefinition } from './ServiceKit.ts';

/**
 * Runs a service as a process until SIGTERM or SIGINT: reads its configuration, rejects development
 * settings in production, and listens. If it cannot start, it prints the error on standard error
 * and exits with 1.
 */
export async function runService<S extends TObject>(
  definition: ServiceDefinition<S>,
): Promise<void> {
  const { name, configKey } = definition;
  boundHeap();
  try {
    const repository = findRepositoryRoot();
    const origin = {
      configKey,
      root: repository.root,
      argv: process.argv.slice(2),
      env: process.env,
    };
    const config = await readSection(origin);
    const faults = await findFaults(origin);
    const service = await createService(definition, {
      config,
      faults,
      repository,
    });
    stopOnSignal(service);
    releaseStartUpMemory();
    try {
      await service.start();
    } catch (error) {
      await service.stop();
      throw error;
    }
  } catch (error) {
    process.stderr.write(`${name} cannot start: ${describe(error)}\n`);
    process.exit(1);
  }
}

/**
 * Stops the service on the first signal, once pending requests have finished; a second signal ends
 * the process immediately.
 */
function stopOnSignal(service: Service): void {
  let stopping = false;
  const stop = async (signal: NodeJS.Signals) => {
    if (stopping) {
      process.exit(1);
    }
    stopping = true;
    service.app.log.info(`${signal}: finishing accepted requests`);
    try {
      await service.stop();
      process.exit(0);
    } catch (error) {
      service.app.log.error({ err: error }, 'Stopping failed');
      process.exit(1);
    }
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

/** Formats an error: expected ones by their message only, others with their stack. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) {
    return String(error);
  }
  const expected =
    error.name === 'ConfigurationError' ||
    error.name === 'DatabaseUnavailableError' ||
    'code' in error;
  return expected
    ? error.message || String((error as NodeJS.ErrnoException).code)
    : (error.stack ?? error.message);
}
