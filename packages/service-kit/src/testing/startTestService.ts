import { pino } from 'pino';
import type { TObject } from 'typebox';
import {
  createService,
  type CreateServiceOptions,
  type Service,
} from '../service/createService.ts';
import type { ServiceDefinition } from '../service/ServiceKit.ts';

/**
 * Creates a service for a test: without logging, on a free port once started, and with an in-memory
 * database unless one is given.
 *
 * @param options.config - its configuration section; keys with defaults may be left out.
 */
export async function startTestService<S extends TObject>(
  definition: ServiceDefinition<S>,
  options: Omit<CreateServiceOptions, 'config'> & {
    config?: Record<string, unknown>;
  } = {},
): Promise<Service> {
  const { config = {}, logger = pino({ level: 'silent' }), ...rest } = options;
  return createService(definition, {
    ...rest,
    logger,
    config: {
      database: {
        client: 'better-sqlite3',
        connection: { filename: ':memory:' },
      },
      ...config,
      // Tests and their services share an event loop, which a busy machine may block for seconds.
      limits: {
        eventLoopDelay: 600_000,
        ...(config.limits as object | undefined),
      },
      listen: { port: 0, ...(config.listen as object | undefined) },
    },
  });
}
