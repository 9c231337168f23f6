import { Config } from '@backstage/config';
import { InputError } from '@backstage/errors';
import {
  AddressRefusedError,
  AddressRules,
  GuardedFetch as EgressFetch,
  GuardedAnswer,
  ResolveAll,
  TooManyRedirectsError,
  UnexpectedAnswerError,
  UnknownEncodingError,
} from '@slipway/platform-guards';
import { ReadingRules } from '@slipway/portal-kit';

/**
 * Parses the address of a devfile. Only https is accepted, and no user
 * information: a password in an address ends up in logs and in the database.
 *
 * @param text - The address as the caller gave it.
 * @param field - How messages name the field that holds it.
 * @param base - Address against which a relative one is resolved.
 * @throws InputError when it is not an address that may be read.
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

/** An address as messages show it. The query is left out: it may carry a token. */
export function displayUrl(url: URL): string {
  return `${url.origin}${url.pathname}`;
}

/**
 * Reads from which addresses others' files may come: https to the hosts under
 * `backend.reading.allow`, or to any public server where `ideLauncher.devfile.hosts` says
 * `public`.
 *
 * @throws InputError when `ideLauncher.devfile.hosts` has another value.
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
 * Gets what others wrote from addresses that others chose: https only, by address rules
 * at every step of at most three redirects, and never from a private address that nobody
 * configured. No credentials are sent.
 */
export class GuardedFetch {
  readonly #fetch: EgressFetch;

  constructor(options: {
    rules: AddressRules;
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
      throw refusalIn(error) ?? error;
    }
  }
}

/** Every URL reader ends its message with the status: `could not read <url>, 503 Service Unavailable`. */
const STATUS = /, ([1-5]\d\d)\b(?!.*, [1-5]\d\d\b)/;

/** How our transport, node-fetch and Backstage's reader of Harness say it. */
const TOO_MANY_REDIRECTS =
  /redirects too often|maximum redirect reached|too many redirects/i;

/**
 * Says what went wrong while a devfile was read, without the inner error:
 * that may name internal addresses.
 *
 * @param error - what the reader threw.
 * @param url - the address that was to be read.
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
    return new InputError(`${where} answered 404`);
  }
  if (TOO_MANY_REDIRECTS.test(message)) {
    return new InputError(`${where} redirects too often`);
  }
  const status = STATUS.exec(message);
  if (status) {
    return new InputError(`${where} answered ${status[1]}`);
  }
  return new InputError(
    `cannot reach ${url.host}: no connection, or a certificate that the portal does not trust`,
  );
}

/** What the caller did wrong; undefined for other errors. */
function refusalIn(error: unknown): InputError | undefined {
  if (error instanceof AddressRefusedError) {
    try {
      // A redirect may be no address of a devfile at all, and says so itself.
      parseDevfileUrl(error.url.href, 'a redirect');
      return hostNotAllowed(error.url);
    } catch (fault) {
      return fault as InputError;
    }
  }
  if (error instanceof UnexpectedAnswerError) {
    return new InputError(`${displayUrl(error.url)} answered ${error.status}`);
  }
  if (error instanceof TooManyRedirectsError) {
    return new InputError(`${displayUrl(error.url)} redirects too often`);
  }
  return error instanceof UnknownEncodingError
    ? new InputError(error.message)
    : undefined;
}

/** The refusal of a host is the same whether it is unlisted or private: it must not tell what the network holds. */
function hostNotAllowed(url: URL): InputError {
  return new InputError(
    `cannot read ${displayUrl(url)}: host ${url.host} is not allowed; ` +
      `allowed hosts are configured under backend.reading.allow`,
  );
}
