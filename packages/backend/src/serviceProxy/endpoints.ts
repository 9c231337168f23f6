import type { RootConfigService } from '@backstage/backend-plugin-api';
import { z } from 'zod';

/** One service behind the proxy. */
export interface ProxyEndpoint {
  /** What the service is called, and the audience of its tokens. */
  readonly service: string;
  readonly target: URL;
  /** Milliseconds without a word after which the service counts as gone. */
  readonly timeoutMs: number;
  /** Beginnings of the paths that pages need; nothing else is passed on. */
  readonly paths: readonly string[];
}

const configSchema = z.record(
  z.string().regex(/^\/[a-z0-9][a-z0-9-]*$/, 'write a name as in /analytics'),
  z.object({
    target: z.url({
      protocol: /^https?$/,
      error: 'write an http or https URL',
    }),
    proxyTimeout: z.number().int().positive().default(30_000),
    paths: z
      .array(z.string().startsWith('/', 'begin each path with a slash'))
      .default(['/api/']),
  }),
);

/**
 * Reads `proxy.endpoints`, whose keys are `/<name of the service>`.
 *
 * @throws Error that names each key with a value it cannot have.
 */
export function readEndpoints(config: RootConfigService): ProxyEndpoint[] {
  const { data, error } = configSchema.safeParse(
    config.getOptional('proxy.endpoints') ?? {},
  );
  if (error) {
    const faults = error.issues.map(
      ({ path, message }) =>
        `${['proxy', 'endpoints', ...path].join('.')}: ${message}`,
    );
    throw new Error(faults.join('; '));
  }
  return Object.entries(data).map(([route, endpoint]) => ({
    service: route.slice(1),
    target: new URL(endpoint.target),
    timeoutMs: endpoint.proxyTimeout,
    paths: endpoint.paths,
  }));
}

/**
 * Tells whether a path is one that pages need.
 *
 * @param path - as it was sent, without the query. One that leads upwards is none,
 *   however it is encoded: the service could read it as another path.
 */
export function isOpen(endpoint: ProxyEndpoint, path: string): boolean {
  let decoded: string;
  try {
    decoded = decodeURIComponent(path);
  } catch {
    return false;
  }
  const segments = decoded.split(/[/\\]/);
  return (
    !segments.includes('..') &&
    !segments.includes('.') &&
    endpoint.paths.some(prefix => path.startsWith(prefix))
  );
}
