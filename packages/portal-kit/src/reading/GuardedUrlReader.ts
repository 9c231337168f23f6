import { ReadUrlResponseFactory } from '@backstage/backend-defaults/urlReader';
import { UrlReaderService } from '@backstage/backend-plugin-api';
import {
  NotAllowedError,
  NotFoundError,
  NotImplementedError,
} from '@backstage/errors';
import {
  AddressRefusedError,
  GuardedFetch,
  UnexpectedAnswerError,
} from '@slipway/platform-guards';

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

/** Converts the transport's errors for refused and missing addresses to Backstage's; keeps all others. */
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
