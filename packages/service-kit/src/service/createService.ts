import type { AddressInfo, Socket } from 'node:net';
import type { ProductionFault } from '@slipway/platform-guards';
import type { Logger } from 'pino';
import type { TObject } from 'typebox';
import { findRepositoryRoot } from '../config/readSection.ts';
import { validateConfig } from '../config/validateConfig.ts';
import { type Database, openDatabase } from '../database/openDatabase.ts';
import { KIT_MIGRATIONS, migrate } from '../database/migrate.ts';
import { createApp } from '../http/createApp.ts';
import type { ServiceApp } from '../http/ServiceApp.ts';
import { openCounters } from '../limits/RateLimits.ts';
import { createLogger } from '../logging/createLogger.ts';
import { startTracing, type Tracing } from '../tracing/startTracing.ts';
import { CleanUp } from './CleanUp.ts';
import { createKit } from './createKit.ts';
import type { ServiceDefinition, ConfigOf, ServiceKit } from './ServiceKit.ts';
import { healthRoutes, metricsRoute } from '../http/operationalRoutes.ts';
import { demandAccess, guardRoutes } from '../http/guardRoutes.ts';
import { hardenApp } from '../http/hardenApp.ts';
import { observeRequests } from '../http/observeRequests.ts';
import { describeApi } from '../http/openApi.ts';
import { refuseBadPaths } from '../http/refuseBadPaths.ts';
import { refuseOverload } from '../http/refuseOverload.ts';
import type { CommonConfig } from '../config/CommonConfig.ts';

const DEFAULT_BODY_LIMIT = 1024 * 1024;
/** Interval at which idle connections are closed while the service stops. */
const IDLE_CHECK_MS = 50;

/** A service that is ready to handle requests. */
export interface Service {
  /** Handles requests with `app.inject` without listening. */
  readonly app: ServiceApp;
  /**
   * Listens and starts the jobs.
   *
   * @returns the address, e.g. `http://127.0.0.1:8000`.
   */
  start(): Promise<string>;
  /** Finishes accepted requests within a time limit and releases all resources. */
  stop(): Promise<void>;
}

/** Overrides for tests, such as a database, a clock or a logger. */
export interface CreateServiceOptions {
  /** The service's configuration section as read; defaults are filled in. */
  config?: unknown;
  /** Errors found in it earlier, which prevent the start like any other error. */
  faults?: readonly ProductionFault[];
  /** The logger; created from the configuration by default. */
  logger?: Logger;
  /** Milliseconds since the Unix epoch. */
  now?: () => number;
  /** Derived from `NODE_ENV` by default. */
  isProduction?: boolean;
  /** An open database, which is not closed; opened from the configuration by default. */
  database?: Database;
  /**
   * The base directory for relative file names, and the version; determined from the repository by
   * default.
   */
  repository?: { root: string; version: string };
}

/**
 * Creates a service from its definition: validates its configuration, opens and migrates its
 * database and registers its routes.
 *
 * @throws ConfigurationError if the configuration is invalid.
 */
export async function createService<S extends TObject>(
  definition: ServiceDefinition<S>,
  options: CreateServiceOptions = {},
): Promise<Service> {
  const { name, configKey, configSchema, defaults } = definition;
  const { now = Date.now, repository = findRepositoryRoot() } = options;
  const config = validateConfig(options.config, {
    configKey,
    schema: configSchema,
    faults: options.faults,
    common: { bodyLimit: DEFAULT_BODY_LIMIT, ...defaults, name },
  });
  const logger =
    options.logger ??
    createLogger({
      name,
      config: config.logging,
      nodeEnv: process.env.NODE_ENV,
    });
  const { shutdownTimeout } = config.limits;
  const cleanUp = new CleanUp({ logger, timeoutMs: shutdownTimeout });
  try {
    const tracing = await startTracing({ name, config: config.tracing });
    cleanUp.add(() => tracing?.stop());
    const database =
      options.database ??
      (await openDatabase(config.database, { root: repository.root }));
    cleanUp.add(() => (options.database ? undefined : database.close()));
    await migrate(database, { directory: KIT_MIGRATIONS, tablePrefix: 'kit_' });
    if (definition.migrations) {
      await migrate(database, { directory: definition.migrations });
    }
    const counters = await openCounters({
      name,
      config: config.rateLimit,
      logger,
    });
    cleanUp.add(() => counters.close());
    const { errors, ignoreTrailingSlash, rewriteUrl, onUnknownPath } =
      definition;
    const app = createApp({
      ...{ config, errors, logger, now },
      ...{ ignoreTrailingSlash, rewriteUrl, onUnknownPath },
    });
    const { kit, startWork } = createKit<S>({
      definition,
      app,
      config,
      database,
      counters,
      logger,
      now,
      repository,
      isProduction:
        options.isProduction ?? process.env.NODE_ENV === 'production',
      cleanUp,
    });
    await assembleApp<S>({ definition, app, kit, tracing });
    // Clients open connections in advance, and Node.js does not treat a connection as idle before
    // its first request.
    const connections = new Set<Socket>();
    app.server.on('connection', (socket: Socket) => {
      connections.add(socket);
      socket.once('close', () => connections.delete(socket));
    });
    return {
      app,
      start: () =>
        listen(app, {
          title: definition.title,
          config: config.listen,
          startWork,
        }),
      stop: async () => {
        const bound = setTimeout(() => {
          logger.warn('Requests that take too long are aborted');
          app.server.closeAllConnections();
        }, shutdownTimeout);
        // Closing the server closes only connections that are idle at that moment.
        const idle = setInterval(
          () => app.server.closeIdleConnections(),
          IDLE_CHECK_MS,
        );
        try {
          const closed = app.close();
          connections.forEach(socket => {
            if (socket.bytesRead === 0) {
              socket.destroy();
            }
          });
          await closed;
        } finally {
          clearTimeout(bound);
          clearInterval(idle);
          await cleanUp.run();
        }
      },
    };
  } catch (error) {
    await cleanUp.run();
    throw error;
  }
}

/** Registers hooks and routes on the app, in the order in which they apply to requests. */
async function assembleApp<S extends TObject>(options: {
  definition: ServiceDefinition<S>;
  app: ServiceApp;
  kit: ServiceKit<ConfigOf<S>>;
  tracing: Tracing | undefined;
}): Promise<void> {
  const { definition, app, kit, tracing } = options;
  const { config, metrics, health, version, now } = kit;
  const origin = new URL(kit.portal.appUrl).origin;
  if (tracing) {
    await app.register(tracing.plugin);
  }
  observeRequests(app, { metrics, logger: kit.logger });
  hardenApp(app, { origin });
  refuseOverload(app, config.limits);
  guardRoutes(app, {
    limits: kit.limits,
    rateLimit: config.rateLimit,
    origin,
  });
  refuseBadPaths(app);
  await describeApi(app, {
    title: definition.title,
    version,
    errors: definition.errors,
  });
  healthRoutes(app, { health, format: definition.health, version, now });
  metricsRoute(app, metrics);
  await app.register(async routes => {
    demandAccess(routes);
    await definition.setUp({ ...kit, app: routes });
  });
  await app.ready();
}

/**
 * Listens, then starts background work.
 *
 * @returns the address, with the actual port if the configured one is 0.
 */
async function listen(
  app: ServiceApp,
  options: {
    title: string;
    config: CommonConfig['listen'];
    startWork: () => Promise<void>;
  },
): Promise<string> {
  const { host, port } = options.config;
  await app.listen({
    host,
    port,
    listenTextResolver: address => `${options.title} listens on ${address}`,
  });
  await options.startWork();
  const address = app.server.address() as AddressInfo;
  const shown = host.includes(':') ? `[${host}]` : host;
  return `http://${shown}:${address.port}`;
}
