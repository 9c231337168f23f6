import type { RootConfigService } from '@backstage/backend-plugin-api';
import { z } from 'zod';

/** A service behind the proxy. */
export interface ProxyEndpoint {
  /** The name of the service, which is the audience of its tokens. */
  readonly service: string;
  readonly target: URL;
  /** Milliseconds without any data after which the service counts as unavailable. */
  readonly timeoutMs: number;
  /** Prefixes of the paths that pages need; no other paths are forwarded. */
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
 * @throws Error naming each key with an invalid value.
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
 * Returns the address of a path of a service; like forwarded requests, it is below the target's own
 * path.
 */
export function addressIn(target: URL, path: string): URL {
  const address = new URL(target);
  address.pathname = `${target.pathname.replace(/\/$/, '')}${path}`;
  return address;
}

/**
 * Checks whether a path may be forwarded.
 *
 * @param path - the path as sent, without the query. Rejected if it contains parent segments in any
 *   encoding, which the service could resolve to another path.
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
