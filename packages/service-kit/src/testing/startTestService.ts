import { pino } from 'pino';
import type { TObject } from 'typebox';
import {
  createService,
  type CreateServiceOptions,
  type Service,
} from '../service/createService.ts';
import type { ServiceDefinition } from '../service/ServiceKit.ts';
import { openTestDatabase } from './databases.ts';

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
  const { config = {}, database } = options;
  if (database || config.database) {
    return createForTest(definition, options);
  }
  const opened = await openTestDatabase('sqlite', definition);
  try {
    const service = await createForTest(definition, {
      ...options,
      database: opened.database,
    });
    return {
      ...service,
      async stop() {
        await service.stop();
        await opened.dispose();
      },
    };
  } catch (error) {
    await opened.dispose();
    throw error;
  }
}

function createForTest<S extends TObject>(
  definition: ServiceDefinition<S>,
  options: NonNullable<Parameters<typeof startTestService<S>>[1]>,
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
