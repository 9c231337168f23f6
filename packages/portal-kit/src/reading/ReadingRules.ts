import { isIP } from 'node:net';
import {
  FetchUrlReader,
  ReaderFactory,
} from '@backstage/backend-defaults/urlReader';
import { Config, ConfigReader } from '@backstage/config';
import {
  AddressRules,
  AddressVerdict,
  isPrivateAddress,
} from '@slipway/platform-guards';

/**
 * Allows the addresses listed in `backend.reading.allow`, which are interpreted as in Backstage, except
 * that IPv6 addresses work too. A host listed by name may have any address; one that only matches a
 * wildcard must have a public address.
 */
export class ReadingRules implements AddressRules {
  readonly #lists: (url: URL) => boolean;
  readonly #names: ReadonlySet<string>;
  readonly #options: {
    httpsOnly?: boolean;
    anyPublicHost?: boolean;
    trustWildcards?: boolean;
  };

  /** @throws Error naming an entry whose host is invalid. */
  constructor(
    config: Config,
    options: {
      /** Rejects plain http. */
      httpsOnly?: boolean;
      /** Also allows any public server on the default port of its scheme. */
      anyPublicHost?: boolean;
      /** Treats hosts that match a wildcard like those listed by name. */
      trustWildcards?: boolean;
    } = {},
  ) {
    const entries = config.getOptionalConfigArray('backend.reading.allow');
    const allow = (entries ?? []).map((entry, index) => ({
      ...entry.get<{ host: string }>(),
      host: parseHost(
        entry.getString('host'),
        `backend.reading.allow[${index}].host`,
      ),
    }));
    const parsed: Config = new ConfigReader({
      backend: { reading: { allow } },
    });
    // The factory uses only the configuration from its options, to create the predicate.
    const factoryOptions = { config: parsed } as Parameters<ReaderFactory>[0];
    const [{ predicate }] = FetchUrlReader.factory(factoryOptions);
    this.#lists = predicate;
    const names = allow.map(({ host }) => host.split(':')[0]);
    this.#names = new Set(names.filter(name => !name.startsWith('*.')));
    this.#options = options;
  }

  judge(url: URL): AddressVerdict {
    const { httpsOnly, anyPublicHost, trustWildcards } = this.#options;
    const { protocol, port, pathname } = url;
    if (!(httpsOnly ? /^https:$/ : /^https?:$/).test(protocol)) {
      return 'refused';
    }
    const hostname = withoutColons(url.hostname);
    const isListed = this.#lists({ protocol, hostname, port, pathname } as URL);
    if (isListed && (trustWildcards || this.#names.has(hostname))) {
      return 'trusted';
    }
    if (!isListed && !(anyPublicHost && port === '')) {
      return 'refused';
    }
    // The URL class has already normalized decimal, octal and hexadecimal addresses.
    const host = url.hostname.replace(/^\[|\]$/g, '');
    return isIP(host) && isPrivateAddress(host) ? 'refused' : 'public';
  }
}

/** A host name or an IPv6 address in brackets, and its port or ports. */
const HOST = /^(?:[^:[\]]+|(?<address>\[[^\]]+\]))(?::\d+(?:-\d+)?)?$/;

/** Converts a configured host to the form that {@link FetchUrlReader} understands. */
function parseHost(host: string, key: string): string {
  const match = HOST.exec(host);
  if (!match || !URL.canParse(`http://${match.groups?.address ?? 'name'}`)) {
    throw new Error(
      `${key} is '${host}', but must be a host, and optionally a port or range of ports; IPv6 addresses are in brackets, as in [fd00::1]:8080`,
    );
  }
  return withoutColons(host);
}

/**
 * Replaces the colons of an IPv6 address in a host by `|`, which no name contains, after shortening the
 * address: Backstage takes the first colon for the start of the port.
 */
function withoutColons(host: string): string {
  return host.replace(/^\[[^\]]*\]/, address =>
    new URL(`http://${address}`).hostname.replaceAll(':', '|'),
  );
}
