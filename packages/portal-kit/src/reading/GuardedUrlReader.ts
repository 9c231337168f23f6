import { isIP } from 'node:net';
import {
  FetchUrlReader,
  ReaderFactory,
  ReadUrlResponseFactory,
} from '@backstage/backend-defaults/urlReader';
import { UrlReaderService } from '@backstage/backend-plugin-api';
import { Config } from '@backstage/config';
import {
  NotAllowedError,
  NotFoundError,
  NotImplementedError,
} from '@backstage/errors';
import {
  AddressRefusedError,
  AddressRules,
  AddressVerdict,
  GuardedFetch,
  isPrivateAddress,
  UnexpectedAnswerError,
} from '@slipway/platform-guards';

/**
 * Allows the addresses listed in `backend.reading.allow`, interpreted like Backstage does. A host
 * listed by name is trusted wherever it is; one that matches a wildcard may only have public
 * addresses.
 */
export class ReadingRules implements AddressRules {
  readonly #lists: (url: URL) => boolean;
  readonly #names: ReadonlySet<string>;
  readonly #options: {
    httpsOnly?: boolean;
    anyPublicHost?: boolean;
    trustWildcards?: boolean;
  };

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
    // The factory uses only the configuration from its options, to create the predicate.
    const factoryOptions = { config } as Parameters<ReaderFactory>[0];
    const [{ predicate }] = FetchUrlReader.factory(factoryOptions);
    this.#lists = predicate;
    this.#names = new Set(namesIn(config));
    this.#options = options;
  }

  judge(url: URL): AddressVerdict {
    const { httpsOnly, anyPublicHost, trustWildcards } = this.#options;
    if (!(httpsOnly ? /^https:$/ : /^https?:$/).test(url.protocol)) {
      return 'refused';
    }
    const isListed = this.#lists(url);
    if (isListed && (trustWildcards || this.#names.has(url.hostname))) {
      return 'trusted';
    }
    if (!isListed && !(anyPublicHost && url.port === '')) {
      return 'refused';
    }
    // The URL class has already normalized decimal, octal and hexadecimal addresses.
    const host = url.hostname.replace(/^\[|\]$/g, '');
    return isIP(host) && isPrivateAddress(host) ? 'refused' : 'public';
  }
}

function namesIn(config: Config): string[] {
  const entries = config.getOptionalConfigArray('backend.reading.allow') ?? [];
  return entries
    .map(entry => entry.getString('host').split(':')[0])
    .filter(name => !name.startsWith('*.'));
}

/** Reads single files from hosts without an integration; checks the rules at each redirect. */
export class GuardedUrlReader implements UrlReaderService {
  readonly #fetch: GuardedFetch;

  constructor(fetch: GuardedFetch) {
    this.#fetch = fetch;
  }

  readonly readUrl: UrlReaderService['readUrl'] = async (url, options) => {
    const signal = options?.signal ?? new AbortController().signal;
    try {
      const { body } = await this.#fetch.get(new URL(url), signal);
      return await ReadUrlResponseFactory.fromReadable(body);
    } catch (error) {
      throw concealed(error, url);
    }
  };

  readonly search: UrlReaderService['search'] = async () => {
    throw new NotImplementedError(
      'Only single files can be read from this host',
    );
  };

  readonly readTree: UrlReaderService['readTree'] = async () => {
    throw new NotImplementedError(
      'Only single files can be read from this host',
    );
  };
}

/** Returns an error that reveals nothing of the address's response. */
export function concealed(error: unknown, url: string): unknown {
  if (error instanceof AddressRefusedError) {
    return new NotAllowedError(
      `${error.url.host || error.url.protocol} is not allowed: backend.reading.allow does not list it, or its address is private`,
      error,
    );
  }
  if (error instanceof UnexpectedAnswerError && error.status === 404) {
    return new NotFoundError(`could not read ${url}, 404 Not Found`);
  }
  return error;
}
