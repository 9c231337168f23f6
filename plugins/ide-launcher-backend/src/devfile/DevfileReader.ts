import { Readable } from 'node:stream';
import { LoggerService, UrlReaderService } from '@backstage/backend-plugin-api';
import { Config } from '@backstage/config';
import { InputError, stringifyError } from '@backstage/errors';
import {
  ScmIntegrationRegistry,
  ScmIntegrations,
} from '@backstage/integration';
import {
  AddressRefusedError,
  AddressRules,
  GuardedAnswer,
  GuardedFetch,
  ResolveAll,
  TooManyRedirectsError,
  UnexpectedAnswerError,
  UnknownEncodingError,
} from '@slipway/platform-guards';
import { ReadingRules, readWithin } from '@slipway/portal-kit';
import { raceAbort } from '../queues';
import { displayUrl, parseDevfileUrl } from './address';

/** Thrown if an address responds with a status other than 200. */
export class AnsweredError extends InputError {
  // Not named `status`, which would become the status of our own response.
  readonly answered: number;

  constructor(url: URL, answered: number) {
    super(`${displayUrl(url)} answered ${answered}`);
    this.answered = answered;
  }
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
 * Fetches devfiles and the files that they refer to from addresses chosen by users: https only, with
 * the address rules checked for each of at most three redirects, and never from a private address
 * that is not configured. Sends no credentials, and reports refusals as InputErrors.
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

/** Options of {@link DevfileReader}. */
export interface DevfileReaderOptions {
  /** Enforces the portal's rules for addresses and redirects. */
  urlReader: UrlReaderService;
  /** Reads addresses of hosts without an integration; by default the URL reader reads everything. */
  fetch?: DevfileFetch;
  /** Hosts that the URL reader reads with the portal's credentials. */
  integrations?: Pick<ScmIntegrationRegistry, 'byUrl'>;
  /** Receives the underlying errors, which callers must not see. */
  logger?: LoggerService;
  /** Maximum size of a devfile in bytes, after decompression; defaults to 1 MiB. */
  maxBytes?: number;
  /** Time limit for one devfile in milliseconds; defaults to 10 s. */
  timeoutMs?: number;
}

const DEFAULT_MAX_BYTES = 1024 * 1024;
const DEFAULT_TIMEOUT_MS = 10_000;

/**
 * Reads the text of devfiles: from the hosts of integrations with the portal's URL reader, and
 * from all others with {@link DevfileFetch}. Only https, and within limits.
 */
export class DevfileReader {
  readonly #options: DevfileReaderOptions;
  /** Time limit for one read in milliseconds. */
  readonly timeoutMs: number;

  constructor(options: DevfileReaderOptions) {
    this.#options = options;
    this.timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  }

  /** Creates a reader that trusts the hosts listed by name in the configuration. */
  static fromConfig(
    config: Config,
    options: Omit<DevfileReaderOptions, 'fetch' | 'integrations'>,
  ): DevfileReader {
    return new DevfileReader({
      ...options,
      fetch: new DevfileFetch({ rules: readDevfileRules(config) }),
      integrations: ScmIntegrations.fromConfig(config),
    });
  }

  /** Returns the type of the integration that reads an address; undefined if there is none. */
  integrationAt(url: URL): string | undefined {
    return this.#options.integrations?.byUrl(url.href)?.type;
  }

  /**
   * Reads one devfile.
   *
   * @param address - An https URL.
   * @param options - `signal` aborts the read; if it times out, that is reported like this
   * reader's own timeout.
   * @throws InputError describing what is wrong with the address or the response.
   */
  async read(
    address: string | URL,
    options: { signal?: AbortSignal } = {},
  ): Promise<string> {
    const url = parseDevfileUrl(String(address));
    const timeout = AbortSignal.timeout(this.timeoutMs);
    const signal = options.signal
      ? AbortSignal.any([options.signal, timeout])
      : timeout;
    try {
      signal.throwIfAborted();
      // Not every URL reader respects the signal, so the wait ends here as well.
      return await raceAbort(this.#read(url, signal), signal);
    } catch (error) {
      if (signal.aborted) {
        throw this.#abortError(url, signal);
      }
      if (!(error instanceof InputError)) {
        this.#options.logger?.debug(
          `Reading ${displayUrl(url)} failed: ${stringifyError(error)}`,
        );
      }
      throw toReadError(error, url);
    }
  }

  async #read(url: URL, signal: AbortSignal): Promise<string> {
    const { maxBytes = DEFAULT_MAX_BYTES } = this.#options;
    const body = await this.#open(url, signal);
    const bytes = await readWithin(body, { maxBytes, signal });
    if (!bytes) {
      throw new InputError(
        `${displayUrl(url)} is larger than ${maxBytes} bytes`,
      );
    }
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    } catch {
      throw new InputError(`${displayUrl(url)} is not UTF-8 text`);
    }
  }

  async #open(url: URL, signal: AbortSignal): Promise<Readable> {
    const { fetch, urlReader } = this.#options;
    if (fetch && this.integrationAt(url) === undefined) {
      return (await fetch.get(url, signal)).body;
    }
    const response = await urlReader.readUrl(url.href, { signal });
    return response.stream?.() ?? Readable.from([await response.buffer()]);
  }

  #abortError(url: URL, signal: AbortSignal): Error {
    const { reason } = signal;
    if (reason instanceof DOMException && reason.name === 'TimeoutError') {
      return new InputError(
        `${displayUrl(url)} did not answer within ${this.timeoutMs / 1000} s`,
      );
    }
    return reason;
  }
}

/** Matches the status that ends the message of every URL reader: `could not read <url>, 503 …`. */
const STATUS = /, ([1-5]\d\d)\b(?!.*, [1-5]\d\d\b)/;

/** Matches the messages of Backstage's readers about URLs that are not those of a file, e.g. of a page. */
const NO_FILE = /^(?:Incorrect URL|Failed extracting project path|Azure URL )/i;

/** Matches the messages of our transport, node-fetch and Backstage's Harness reader. */
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

/** Returns the error to report if the address or its response is the cause; otherwise undefined. */
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
