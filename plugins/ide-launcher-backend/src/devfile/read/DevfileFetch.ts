import { Config } from '@backstage/config';
import { InputError } from '@backstage/errors';
import {
  AddressRefusedError,
  AddressRules,
  GuardedFetch,
  GuardedAnswer,
  ResolveAll,
  TooManyRedirectsError,
  UnexpectedAnswerError,
  UnknownEncodingError,
} from '@slipway/platform-guards';
import { ReadingRules } from '@slipway/portal-kit';

/**
 * Parses the URL of a devfile. Accepts only https, and no user information: a password in a URL
 * ends up in logs and in the database.
 *
 * @param text - The URL from the caller.
 * @param field - The name of its field in messages.
 * @param base - The base of relative URLs.
 * @throws InputError if the URL must not be read.
 */
export function parseDevfileUrl(
  text: string,
  field = 'devfileUrl',
  base?: URL,
): URL {
  if (!URL.canParse(text, base)) {
    throw new InputError(`${field} must be an https URL`);
  }
  const url = new URL(text, base);
  if (url.protocol !== 'https:') {
    throw new InputError(`${field} must be an https URL`);
  }
  if (url.username || url.password) {
    throw new InputError(`${field} must not contain a user name or password`);
  }
  url.hash = '';
  return url;
}

/** Formats a URL for messages. The query is omitted because it may contain a token. */
export function displayUrl(url: URL): string {
  return `${url.origin}${url.pathname}`;
}

/**
 * Reads the rules for the addresses of external files: https to the hosts under
 * `backend.reading.allow`, or to any public server if `ideLauncher.devfile.hosts` is `public`.
 *
 * @throws InputError if `ideLauncher.devfile.hosts` has another value.
 */
export function readDevfileRules(config: Config): AddressRules {
  const section = config.getOptionalConfig('ideLauncher.devfile');
  const hosts = section?.getOptionalString('hosts') ?? 'listed';
  if (hosts !== 'listed' && hosts !== 'public') {
    throw new InputError(
      'ideLauncher.devfile.hosts must be one of listed, public',
    );
  }
  return new ReadingRules(config, {
    httpsOnly: true,
    anyPublicHost: hosts === 'public',
    trustWildcards: section?.getOptionalBoolean('allowPrivateAddresses'),
  });
}

/**
 * Fetches devfiles and what they refer to from addresses chosen by users: https only, with the
 * address rules checked at every step of at most three redirects, and never from a private address
 * that is not configured. Sends no credentials, and reports refusals as faults of the request.
 */
export class DevfileFetch {
  readonly #fetch: GuardedFetch;

  constructor(options: {
    rules: AddressRules;
    /** Name resolution; defaults to the system's. */
    resolve?: ResolveAll;
    /** Certificate authorities, if different from the system's. */
    ca?: string[];
  }) {
    this.#fetch = new GuardedFetch(options);
  }

  /**
   * Follows an address to a response with status 200. Destroy the body to abort.
   *
   * @throws InputError naming the address that was refused or the unexpected response; the
   * signal's reason if it aborts.
   */
  async get(address: URL, signal: AbortSignal): Promise<GuardedAnswer> {
    try {
      return await this.#fetch.get(address, signal);
    } catch (error) {
      throw refusalIn(error) ?? error;
    }
  }
}

/** An address answered with another status than 200. */
export class AnsweredError extends InputError {
  // Not named `status`, which would decide the status of our own response.
  readonly answered: number;

  constructor(url: URL, answered: number) {
    super(`${displayUrl(url)} answered ${answered}`);
    this.answered = answered;
  }
}

/** Every URL reader ends its message with the status: `could not read <url>, 503 Service Unavailable`. */
const STATUS = /, ([1-5]\d\d)\b(?!.*, [1-5]\d\d\b)/;

/** The messages of Backstage's readers about addresses of anything but a file, such as a page. */
const NO_FILE = /^(?:Incorrect URL|Failed extracting project path|Azure URL )/i;

/** The messages of our transport, node-fetch and Backstage's reader of Harness. */
const TOO_MANY_REDIRECTS =
  /redirects too often|maximum redirect reached|too many redirects/i;

/**
 * Describes why a devfile could not be read, without the underlying error, which may contain
 * internal addresses.
 *
 * @param error - the error from the reader.
 * @param url - the address of the devfile.
 */
export function toReadError(error: unknown, url: URL): InputError {
  if (error instanceof InputError) {
    return error;
  }
  const { name, message, cause } =
    error instanceof Error ? error : new Error(String(error));
  const where = displayUrl(url);
  const refusal = refusalIn(error) ?? refusalIn(cause);
  if (refusal) {
    return refusal;
  }
  if (name === 'NotAllowedError') {
    return hostNotAllowed(url);
  }
  if (name === 'NotFoundError') {
    return new AnsweredError(url, 404);
  }
  if (NO_FILE.test(message)) {
    return new InputError(
      `${where} is not the address of a file in a repository`,
    );
  }
  if (TOO_MANY_REDIRECTS.test(message)) {
    return new InputError(`${where} redirects too often`);
  }
  const status = STATUS.exec(message);
  if (status) {
    return new AnsweredError(url, Number(status[1]));
  }
  return new InputError(
    `cannot reach ${url.host}: no connection, or a certificate that the portal does not trust`,
  );
}

/** Returns the error to report if the caller's address is the cause; otherwise undefined. */
function refusalIn(error: unknown): InputError | undefined {
  if (error instanceof AddressRefusedError) {
    try {
      // A redirect may lead to an address that is not valid for a devfile; its error describes
      // that.
      parseDevfileUrl(error.url.href, 'a redirect');
      return hostNotAllowed(error.url);
    } catch (fault) {
      return fault as InputError;
    }
  }
  if (error instanceof UnexpectedAnswerError) {
    return new AnsweredError(error.url, error.status);
  }
  if (error instanceof TooManyRedirectsError) {
    return new InputError(`${displayUrl(error.url)} redirects too often`);
  }
  return error instanceof UnknownEncodingError
    ? new InputError(error.message)
    : undefined;
}

/**
 * Creates the error for a refused host. It is the same for unlisted and private hosts, so that
 * it reveals nothing about the network.
 */
export function hostNotAllowed(url: URL): InputError {
  return new InputError(
    `cannot read ${displayUrl(url)}: host ${url.host} is not allowed; ` +
      `allowed hosts are configured under backend.reading.allow`,
  );
}
