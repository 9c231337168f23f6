import { InputError } from '@backstage/errors';
import {
  AddressRefusedError,
  GuardedAnswer,
  GuardedFetch as EgressFetch,
  ResolveAll,
  TooManyRedirectsError,
  UnexpectedAnswerError,
  UnknownEncodingError,
} from '@slipway/platform-guards';
import { displayUrl, parseDevfileUrl } from './devfileUrl';
import { hostNotAllowed } from './readErrors';
import { ReadingRules } from './ReadingRules';

/**
 * Gets what others wrote from addresses that others chose: https only, by
 * {@link ReadingRules} at every step of at most three redirects, and never
 * from a private address that nobody configured. No credentials are sent.
 */
export class GuardedFetch {
  readonly #fetch: EgressFetch;

  constructor(options: {
    rules: ReadingRules;
    /** Name resolution; the system's by default. */
    resolve?: ResolveAll;
    /** Certificate authorities, where they are not the system's. */
    ca?: string[];
  }) {
    this.#fetch = new EgressFetch(options);
  }

  /**
   * Follows an address to an answer of 200. Destroy the body to end early.
   *
   * @throws InputError saying which address was refused or what it answered;
   *   the signal's reason when it aborts.
   */
  async get(address: URL, signal: AbortSignal): Promise<GuardedAnswer> {
    try {
      return await this.#fetch.get(address, signal);
    } catch (error) {
      throw toInputError(error);
    }
  }
}

/** What the caller did wrong; other errors as they are. */
function toInputError(error: unknown): unknown {
  if (error instanceof AddressRefusedError) {
    // A redirect may be no address of a devfile at all, and says so itself.
    parseDevfileUrl(error.url.href, 'a redirect');
    return hostNotAllowed(error.url);
  }
  if (error instanceof UnexpectedAnswerError) {
    return new InputError(`${displayUrl(error.url)} answered ${error.status}`);
  }
  if (error instanceof TooManyRedirectsError) {
    return new InputError(`${displayUrl(error.url)} redirects too often`);
  }
  return error instanceof UnknownEncodingError
    ? new InputError(error.message)
    : error;
}
