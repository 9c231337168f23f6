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
 * Allows the addresses listed in `backend.reading.allow`, interpreted like Backstage does, and the
 * IPv6 addresses among them. A host listed by name is trusted wherever it is; one that matches a
 * wildcard may only have public addresses.
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
      /** Trusts hosts that match a wildcard like those listed by name. */
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

/** Returns a configured host for {@link FetchUrlReader}. */
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
 * Returns a host whose only colon is the one before its port, because Backstage takes the first for
 * that one: an IPv6 address in its shortest form, with `|` for each colon, as no name contains one.
 */
function withoutColons(host: string): string {
  return host.replace(/^\[[^\]]*\]/, address =>
    new URL(`http://${address}`).hostname.replaceAll(':', '|'),
  );
}
