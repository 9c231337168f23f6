import { once } from 'node:events';
import {
  Agent,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as send,
} from 'node:http';
import path from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { startAnalytics } from '@slipway/analytics/src/__testUtils__/startAnalytics.ts';
import { startBuildServer } from '@slipway/build-server/src/__testUtils__/startBuildServer.ts';
import { repositoryRoot } from '@slipway/dev-runner/src/layout.ts';
import {
  readServices,
  type ServiceManifest,
} from '@slipway/dev-runner/src/readAddresses.ts';
import { designSite } from '@slipway/design-site/src/service.ts';
import { findFreePorts } from '@slipway/e2e/src/processes/findFreePorts.ts';
import { startFeatureFlags } from '@slipway/feature-flags/src/__testUtils__/startFeatureFlags.ts';
import { startFeedback } from '@slipway/feedback/src/__testUtils__/startFeedback.ts';
import type { Service } from '@slipway/service-kit';
import { startTestService } from '@slipway/service-kit/testing';
import { startSpaceMetrics } from '@slipway/space-metrics/src/__testUtils__/startSpaceMetrics.ts';
import { ContractPortal } from '../../contract/__testUtils__/ContractPortal';

/** The key of services that only need a key. */
const SERVICE_KEY = 'test-service-key';

/** The tokens with which the services read the catalog, by the section of their configuration. */
const PORTAL_TOKENS: Record<string, string> = {
  analytics: 'dev-analytics-token',
  buildServer: 'dev-build-server-token',
  featureFlags: 'dev-feature-flags-token',
  feedback: 'dev-feedback-token',
  spaceMetrics: 'dev-space-metrics-token',
};

/**
 * The name of a part that serves HTTP: `portal`, or the section of a service, such as
 * `buildServer`.
 */
export type PartName = string;

/** A request sent by a caller. */
export interface PlatformRequest {
  method: string;
  /** The path, including the query. */
  path: string;
  headers?: Record<string, string>;
  /** Sent as JSON; a string is sent unchanged. */
  body?: unknown;
}

/** A response from a part. */
interface PartResponse {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

/**
 * Runs the portal as a process and the services in this process, where they verify real sessions of
 * the portal. Reads require a session, as in production. The users are ada, an admin; grace, whose
 * team payments owns the component shop; and lin, who is in another team.
 */
export class Platform {
  readonly sessions: Record<'ada' | 'grace' | 'lin', string>;
  readonly #portal: ContractPortal;
  /** Addresses of the parts, without a trailing slash. */
  readonly origins: Record<PartName, string>;
  readonly #stops: (() => Promise<void>)[];
  readonly #connections = new Agent({ keepAlive: true });

  private constructor(options: {
    sessions: Record<'ada' | 'grace' | 'lin', string>;
    portal: ContractPortal;
    origins: Record<PartName, string>;
    stops: (() => Promise<void>)[];
  }) {
    this.sessions = options.sessions;
    this.#portal = options.portal;
    this.origins = options.origins;
    this.#stops = options.stops;
  }

  static async start(): Promise<Platform> {
    const services = readServices(repositoryRoot);
    const ports = await findFreePorts(services.length);
    const origins = Object.fromEntries(
      services.map(({ configKey }, index) => [
        configKey,
        `http://127.0.0.1:${ports[index]}`,
      ]),
    );
    const portal = await ContractPortal.start({
      slipway_rateLimit_enabled: false,
      // A stream never ends: a permitted caller gets an error for too many streams
      // instead.
      slipway_flags_mostPages: 0,
      catalog_locations: [
        {
          type: 'file',
          target: path.join(__dirname, '__fixtures__/org.yaml'),
          rules: [{ allow: ['User', 'Group', 'Component'] }],
        },
      ],
      proxy_endpoints: Object.fromEntries(
        services
          .filter(({ proxied }) => proxied)
          .map(({ name, configKey }) => [
            `/${name}`,
            { target: origins[configKey] },
          ]),
      ),
    });
    const running = await Promise.all(
      services.map((service, index) =>
        startService(service, {
          listen: { port: ports[index] },
          portal: { baseUrl: portal.origin, appUrl: 'http://localhost:3000' },
          rateLimit: { enabled: false },
          limits: { eventLoopDelay: 600_000 },
          ...(service.configKey in PORTAL_TOKENS && {
            portalToken: PORTAL_TOKENS[service.configKey],
          }),
        }),
      ),
    );
    const [ada, grace, lin] = await Promise.all(
      ['ada', 'grace', 'lin'].map(user => portal.signIn(user)),
    );
    return new Platform({
      sessions: { ada, grace, lin },
      portal,
      origins: { portal: portal.origin, ...origins },
      stops: [
        ...running.map(service => () => service.stop()),
        () => portal.stop(),
      ],
    });
  }

  /** Address of the forge that the portal may read from, without a trailing slash. */
  get forge(): string {
    return this.#portal.forge;
  }

  /** Absolute path of the directory from which descriptors may be registered. */
  get folder(): string {
    return this.#portal.folder;
  }

  /** Returns the absolute path of the SQLite database of a plugin of the portal. */
  databaseOf(pluginId: string): string {
    return this.#portal.databaseOf(pluginId);
  }

  /** Sends a request and does not follow redirects. */
  async ask(part: PartName, request: PlatformRequest): Promise<PartResponse> {
    const { method, path: target, headers = {}, body } = request;
    // Not with fetch, which takes much longer for thousands of requests.
    const sending = send(`${this.origins[part]}${target}`, {
      method,
      agent: this.#connections,
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
    });
    sending.end(typeof body === 'string' ? body : JSON.stringify(body));
    let response: IncomingMessage;
    try {
      [response] = await once(sending, 'response');
    } catch (error) {
      // While this process is busy, a part may close an idle connection that is just being reused.
      if (sending.reusedSocket) {
        return this.ask(part, request);
      }
      throw error;
    }
    return {
      status: response.statusCode ?? 0,
      headers: response.headers,
      text: await textOf(response),
    };
  }

  /**
   * Sends a request that prepares a test.
   *
   * @throws Error if the response is not a success.
   */
  async arrange(part: PartName, request: PlatformRequest): Promise<any> {
    const answer = await this.ask(part, request);
    if (answer.status >= 300) {
      throw new Error(
        `${request.method} ${request.path}: ${answer.status} ${answer.text}`,
      );
    }
    return answer.text === '' ? undefined : JSON.parse(answer.text);
  }

  async stop(): Promise<void> {
    this.#connections.destroy();
    await Promise.all(this.#stops.map(stop => stop()));
  }
}

interface RunningService {
  stop(): Promise<void>;
}

/** Starts the services that need more than a key. */
const STARTERS: Record<
  string,
  (config: Record<string, unknown>) => Promise<RunningService>
> = {
  analytics: config => listening(startAnalytics({ config, countSeconds: 0.2 })),
  buildServer: config =>
    startBuildServer({
      jobs: [
        {
          name: 'shop',
          publicBadge: true,
          owner: 'group:default/payments',
          webhook: { token: 'hello-webhook' },
          steps: [{ name: 'Say hello', run: 'echo hello' }],
        },
        {
          name: 'gated',
          owner: 'group:default/payments',
          concurrent: true,
          steps: [{ name: 'Approve', approval: {} }],
        },
      ],
      config: {
        ...config,
        auth: {
          triggerGroups: ['group:default/platform-admins'],
          adminGroups: ['group:default/platform-admins'],
        },
      },
    }),
  designSite: config =>
    listening(
      startTestService(designSite, { config: { ...config, build: 'never' } }),
    ),
  // Streams never end, so permitted callers get the response for too many streams.
  featureFlags: config =>
    listening(
      startFeatureFlags({ config: { ...config, streams: { most: 0 } } }),
    ),
  feedback: config =>
    listening(
      startFeedback(config.portal as { baseUrl: string }, {
        config: { ...config, auth: { reads: 'required' } },
      }),
    ),
  spaceMetrics: config =>
    listening(
      startSpaceMetrics({
        config: {
          ...config,
          auth: {
            apiKeys: [{ name: 'test', key: 'test-space-key' }],
            reads: 'required',
          },
        },
      }),
    ),
};

function startService(
  { name, configKey }: ServiceManifest,
  config: Record<string, unknown>,
): Promise<RunningService> {
  const starter = STARTERS[configKey];
  return starter
    ? starter(config)
    : listening(startDefined({ name, configKey }, config));
}

/** Starts the definition that `src/service.ts` exports under the name of its section. */
async function startDefined(
  { name, configKey }: Pick<ServiceManifest, 'name' | 'configKey'>,
  config: Record<string, unknown>,
): Promise<Service> {
  const file = path.join(repositoryRoot, 'services', name, 'src/service.ts');
  const definitions: Record<string, Parameters<typeof startTestService>[0]> =
    await import(/* @vite-ignore */ file);
  return startTestService(definitions[configKey], {
    config: {
      ...config,
      auth: { apiKeys: [{ name: 'test', key: SERVICE_KEY }] },
    },
  });
}

async function listening(starting: Promise<Service>): Promise<Service> {
  const service = await starting;
  await service.start();
  return service;
}
