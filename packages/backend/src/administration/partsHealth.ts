import { addressIn, type ProxyEndpoint } from '../serviceProxy/endpoints';

const TIMEOUT_MS = 3_000;

/** The health of a part of the platform. */
export interface PartHealth {
  name: string;
  /** `degraded`: it responds, but something that it needs does not. */
  state: 'up' | 'degraded' | 'down';
  /** Null if unknown. */
  version: string | null;
  /** Failing dependencies, as named by its `/ready`. */
  failing: string[];
}

/**
 * Queries the operational routes of a service directly, because the proxy does not forward them.
 * Never throws.
 */
export async function healthOf({
  service: name,
  target,
}: Pick<ProxyEndpoint, 'service' | 'target'>): Promise<PartHealth> {
  const [health, ready] = await Promise.all([
    read<{ version?: string }>(addressIn(target, '/health')),
    read<{ checks?: Record<string, boolean> }>(addressIn(target, '/ready')),
  ]);
  if (!health || !ready) {
    return { name, state: 'down', version: null, failing: [] };
  }
  return {
    name,
    state: health.ok && ready.ok ? 'up' : 'degraded',
    version: health.body.version ?? null,
    failing: Object.entries(ready.body.checks ?? {})
      .filter(([, isWell]) => !isWell)
      .map(([check]) => check),
  };
}

/**
 * Requests JSON.
 *
 * @returns undefined if there is no response in time, or if it is not JSON.
 */
async function read<T>(
  address: URL,
): Promise<{ ok: boolean; body: T } | undefined> {
  try {
    const answer = await fetch(address, {
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return { ok: answer.ok, body: (await answer.json()) as T };
  } catch {
    return undefined;
  }
}
