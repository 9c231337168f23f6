import { pino } from 'pino';
import type { TObject } from 'typebox';
import {
  createService,
  type CreateServiceOptions,
  type Service,
} from '../service/createService.ts';
import type { ServiceDefinition } from '../service/ServiceKit.ts';

/**
 * Makes a service for a test: silent, on any free port once it is started, and on a
 * database in memory unless one is given.
 *
 * @param options.config - its section; may leave out all that has a default.
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
      listen: { port: 0, ...(config.listen as object | undefined) },
    },
  });
}
