import { isIP } from 'node:net';
import { isAllowedHost } from '@slipway/platform-guards';

/**
 * Says what is wrong with `listen.trustProxy`, a list of addresses and ranges. `true`, as
 * other servers have it, would believe whatever a caller writes into X-Forwarded-For, and
 * with it let each choose the address that its requests count against.
 */
export function faultsOfTrustProxy(key: string, value: unknown): string[] {
  if (!Array.isArray(value)) {
    return [
      `${key} must list the addresses or ranges of your reverse proxies, e.g. [10.0.0.0/8]: whom it lists may say who calls, so that neither true nor a number of proxies is taken`,
    ];
  }
  return value.flatMap((entry, index) =>
    isNetwork(entry)
      ? []
      : [
          `${key}[${index}] must be the address or the range of a reverse proxy, e.g. 10.0.0.0/8, and not of everybody`,
        ],
  );
}

function isNetwork(entry: unknown): boolean {
  if (typeof entry !== 'string') {
    return false;
  }
  const [address, prefix = '1'] = entry.split('/');
  return isIP(address) !== 0 && isAllowedHost(entry) && Number(prefix) > 0;
}
