import path from 'node:path';
import { isIP } from 'node:net';
import { Config } from '@backstage/config';
import { InputError } from '@backstage/errors';
import {
  AddressRules,
  AddressVerdict,
  isPrivateAddress,
} from '@slipway/platform-guards';

interface AllowedHost {
  hostname: string;
  /** Whether a port, as the URL says it, is allowed. */
  allowsPort(port: string): boolean;
  /** Undefined: any. */
  paths: string[] | undefined;
}

/**
 * From which addresses others' files may be read: the hosts under
 * `backend.reading.allow`, with the meaning that Backstage gives them, or any
 * public server where `ideLauncher.devfile.hosts` says `public`.
 */
export class ReadingRules implements AddressRules {
  readonly #allowed: AllowedHost[];
  readonly #anyPublic: boolean;
  readonly #allowPrivate: boolean;

  constructor(options: {
    allowed: AllowedHost[];
    anyPublic?: boolean;
    allowPrivate?: boolean;
  }) {
    this.#allowed = options.allowed;
    this.#anyPublic = options.anyPublic ?? false;
    this.#allowPrivate = options.allowPrivate ?? false;
  }

  /** @throws InputError when `ideLauncher.devfile.hosts` has another value. */
  static fromConfig(config: Config): ReadingRules {
    const hosts =
      config.getOptionalString('ideLauncher.devfile.hosts') ?? 'listed';
    if (hosts !== 'listed' && hosts !== 'public') {
      throw new InputError(
        'ideLauncher.devfile.hosts must be one of listed, public',
      );
    }
    const entries = config.getOptionalConfigArray('backend.reading.allow');
    return new ReadingRules({
      allowed: (entries ?? []).map(entry => {
        const [hostname, port] = entry.getString('host').split(':');
        return {
          hostname,
          allowsPort: portRule(port),
          paths: entry.getOptionalStringArray('paths'),
        };
      }),
      anyPublic: hosts === 'public',
      allowPrivate: config.getOptionalBoolean(
        'ideLauncher.devfile.allowPrivateAddresses',
      ),
    });
  }

  /** Judges an address by what is written in it; a name may still lead anywhere. */
  judge(url: URL): AddressVerdict {
    const listed = this.#allowed.find(entry => matches(entry, url));
    if (listed && (this.#allowPrivate || !listed.hostname.startsWith('*.'))) {
      return 'trusted';
    }
    const anyPublic = this.#anyPublic && url.port === '';
    if (url.protocol !== 'https:' || (!listed && !anyPublic)) {
      return 'refused';
    }
    // Decimal, octal and hexadecimal forms have become dotted ones in the URL.
    const host = url.hostname.replace(/^\[|\]$/g, '');
    return isIP(host) && isPrivateAddress(host) ? 'refused' : 'public';
  }
}

function portRule(rule: string | undefined): (port: string) => boolean {
  if (!rule) {
    return port => port === '';
  }
  const [first, last = first] = rule.split('-').map(Number);
  return port => {
    const number = Number(port || 443);
    return number >= first && number <= last;
  };
}

function matches({ hostname, allowsPort, paths }: AllowedHost, url: URL) {
  const sameHost = hostname.startsWith('*.')
    ? url.hostname.endsWith(hostname.slice(1))
    : url.hostname === hostname;
  const place = path.posix.normalize(url.pathname);
  const samePath =
    !paths ||
    paths.some(
      allowed =>
        place === allowed || place.startsWith(`${allowed.replace(/\/$/, '')}/`),
    );
  return (
    url.protocol === 'https:' && sameHost && allowsPort(url.port) && samePath
  );
}
