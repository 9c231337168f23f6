import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { Config } from '@backstage/config';
import { isPrivateAddress } from '@slipway/platform-guards';

/** Answers all addresses of a host name. */
export type ResolveHost = (hostname: string) => Promise<string[]>;

/** Options of {@link AddressGuard}. */
export interface AddressGuardOptions {
  /** Hosts that the operator listed by name; where they point is the operator's choice. */
  trustedHosts?: readonly string[];
  /** Lets every host through. For installations that live in a private network. */
  allowPrivateAddresses?: boolean;
  /** Name resolution; the system's by default. */
  resolveHost?: ResolveHost;
}

async function resolveWithSystem(hostname: string): Promise<string[]> {
  const found = await lookup(hostname, { all: true });
  return found.map(({ address }) => address);
}

/**
 * Keeps the portal from being used to read its own network.
 *
 * Backstage's URL reader decides which hosts may be read at all. It lets
 * through the hosts of integrations and of wildcards too, whose names others
 * may point anywhere; those are resolved here first. A host that stands by name
 * under `backend.reading.allow` is configured, and may be private.
 *
 * The name is resolved again when the reader connects, so this is a second
 * fence behind the allow list, and no protection against a listed domain
 * whose owner rebinds it in between.
 */
export class AddressGuard {
  readonly #trustedHosts: ReadonlySet<string>;
  readonly #allowPrivateAddresses: boolean;
  readonly #resolveHost: ResolveHost;

  constructor(options: AddressGuardOptions = {}) {
    this.#trustedHosts = new Set(options.trustedHosts);
    this.#allowPrivateAddresses = options.allowPrivateAddresses ?? false;
    this.#resolveHost = options.resolveHost ?? resolveWithSystem;
  }

  /** Reads `backend.reading.allow` and `ideLauncher.devfile.allowPrivateAddresses`. */
  static fromConfig(config: Config): AddressGuard {
    const listed =
      config
        .getOptionalConfigArray('backend.reading.allow')
        ?.map(entry => entry.getString('host').split(':')[0]) ?? [];
    return new AddressGuard({
      trustedHosts: listed.filter(host => !host.startsWith('*')),
      allowPrivateAddresses: config.getOptionalBoolean(
        'ideLauncher.devfile.allowPrivateAddresses',
      ),
    });
  }

  /** Whether a devfile may be read from the host of this address. */
  async allows(url: URL): Promise<boolean> {
    if (this.#allowPrivateAddresses || this.#trustedHosts.has(url.hostname)) {
      return true;
    }
    const host = url.hostname.replace(/^\[|\]$/g, '');
    if (isIP(host)) return !isPrivateAddress(host);
    let addresses: string[];
    try {
      addresses = await this.#resolveHost(host);
    } catch {
      // A name that does not resolve here is unknown to the reader as well, or
      // is resolved by an egress proxy that has rules of its own.
      return true;
    }
    return !addresses.some(isPrivateAddress);
  }
}
