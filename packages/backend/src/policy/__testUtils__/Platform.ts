import path from 'node:path';
import { startAnalytics } from '@slipway/analytics/src/__testUtils__/startAnalytics.ts';
import { startBuildServer } from '@slipway/build-server/src/__testUtils__/startBuildServer.ts';
import { designSite } from '@slipway/design-site/src/service.ts';
import { findFreePorts } from '@slipway/e2e/src/processes/findFreePorts.ts';
import { startFeatureFlags } from '@slipway/feature-flags/src/__testUtils__/startFeatureFlags.ts';
import { startFeedback } from '@slipway/feedback/src/__testUtils__/startFeedback.ts';
import { startTestService } from '@slipway/service-kit/testing';
import { startSpaceMetrics } from '@slipway/space-metrics/src/__testUtils__/startSpaceMetrics.ts';
import { ContractPortal } from '../../contract/__testUtils__/ContractPortal';

/** The parts that answer HTTP, each at an address of its own. */
export type PartName =
  | 'portal'
  | 'spaceMetrics'
  | 'feedback'
  | 'featureFlags'
  | 'analytics'
  | 'buildServer'
  | 'designSite';

/** A request as a caller sends it. */
export interface PlatformRequest {
  method: string;
  /** With its query. */
  path: string;
  headers?: Record<string, string>;
  /** Sent as JSON; a string is sent as it is. */
  body?: unknown;
}

/**
 * The portal as a process and its services in this one, which verify the portal's real
 * sessions. Reads need a session, as in production. Its users are ada, who administers,
 * grace of the team payments, which owns the component shop, and lin of another team.
 */
export class Platform {
  readonly sessions: Record<'ada' | 'grace' | 'lin', string>;
  readonly #portal: ContractPortal;
  readonly #origins: Record<PartName, string>;
  readonly #stops: (() => Promise<void>)[];

  private constructor(options: {
    sessions: Record<'ada' | 'grace' | 'lin', string>;
    portal: ContractPortal;
    origins: Record<PartName, string>;
    stops: (() => Promise<void>)[];
  }) {
    this.sessions = options.sessions;
    this.#portal = options.portal;
    this.#origins = options.origins;
    this.#stops = options.stops;
  }

  static async start(): Promise<Platform> {
    const ports = await findFreePorts(6);
    const [space, feedback, flags, analytics, builds, site] = ports.map(
      port => `http://127.0.0.1:${port}`,
    );
    const portal = await ContractPortal.start({
      slipway_rateLimit_enabled: false,
      catalog_locations: [
        {
          type: 'file',
          target: path.join(__dirname, '__fixtures__/org.yaml'),
          rules: [{ allow: ['User', 'Group', 'Component'] }],
        },
      ],
      proxy_endpoints: Object.fromEntries(
        Object.entries({
          'space-metrics': space,
          feedback,
          'feature-flags': flags,
          analytics,
          'build-server': builds,
        }).map(([name, target]) => [`/${name}`, { target }]),
      ),
    });
    const common = (index: number) => ({
      listen: { port: ports[index] },
      portal: { baseUrl: portal.origin, appUrl: 'http://localhost:3000' },
      rateLimit: { enabled: false },
      limits: { eventLoopDelay: 600_000 },
    });
    const services = [
      await startSpaceMetrics({
        config: {
          ...common(0),
          auth: {
            apiKeys: [{ name: 'test', key: 'test-space-key' }],
            reads: 'required',
          },
        },
      }),
      await startFeedback(
        { baseUrl: portal.origin },
        {
          config: { ...common(1), auth: { reads: 'required' } },
        },
      ),
      await startFeatureFlags({ config: common(2) }),
      await startAnalytics({ config: common(3) }),
      await startTestService(designSite, {
        config: { ...common(5), build: 'never' },
      }),
    ];
    await Promise.all(services.map(service => service.start()));
    const buildServer = await startBuildServer({
      jobs: [
        {
          name: 'shop',
          owner: 'group:default/payments',
          webhook: { token: 'hello-webhook' },
          steps: [{ name: 'Say hello', run: 'echo hello' }],
        },
      ],
      config: {
        ...common(4),
        auth: { triggerGroups: ['group:default/platform-admins'] },
      },
    });
    const [ada, grace, lin] = await Promise.all(
      ['ada', 'grace', 'lin'].map(user => portal.signIn(user)),
    );
    return new Platform({
      sessions: { ada, grace, lin },
      portal,
      origins: {
        portal: portal.origin,
        spaceMetrics: space,
        feedback,
        featureFlags: flags,
        analytics,
        buildServer: builds,
        designSite: site,
      },
      stops: [
        ...services.map(service => () => service.stop()),
        () => buildServer.stop(),
        () => portal.stop(),
      ],
    });
  }

  /** Address of the forge that the portal may read from, without a slash at the end. */
  get forge(): string {
    return this.#portal.forge;
  }

  /** Absolute path of the folder from which descriptors may be registered. */
  get folder(): string {
    return this.#portal.folder;
  }

  async ask(part: PartName, request: PlatformRequest) {
    const { method, path: target, headers = {}, body } = request;
    const response = await fetch(`${this.#origins[part]}${target}`, {
      method,
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      body: typeof body === 'string' ? body : JSON.stringify(body),
      redirect: 'manual',
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text };
  }

  /** Asks for what the test needs. @throws Error when the answer is no success. */
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
    await Promise.all(this.#stops.map(stop => stop()));
  }
}
