import { Readable } from 'node:stream';
import { LoggerService, UrlReaderService } from '@backstage/backend-plugin-api';
import { Config } from '@backstage/config';
import { InputError, stringifyError } from '@backstage/errors';
import {
  ScmIntegrationRegistry,
  ScmIntegrations,
} from '@backstage/integration';
import { readWithin } from '@slipway/portal-kit';
import {
  DevfileFetch,
  displayUrl,
  parseDevfileUrl,
  readDevfileRules,
  toReadError,
} from './DevfileFetch';

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
  readonly #urlReader: UrlReaderService;
  readonly #fetch?: DevfileFetch;
  readonly #integrations?: Pick<ScmIntegrationRegistry, 'byUrl'>;
  readonly #logger?: LoggerService;
  readonly #maxBytes: number;
  /** Time limit for one read in milliseconds. */
  readonly timeoutMs: number;

  constructor(options: DevfileReaderOptions) {
    this.#urlReader = options.urlReader;
    this.#fetch = options.fetch;
    this.#integrations = options.integrations;
    this.#logger = options.logger;
    this.#maxBytes = options.maxBytes ?? DEFAULT_MAX_BYTES;
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
    return this.#integrations?.byUrl(url.href)?.type;
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
      return await Promise.race([this.#read(url, signal), aborted(signal)]);
    } catch (error) {
      if (signal.aborted) {
        throw this.#abortError(url, signal);
      }
      if (!(error instanceof InputError)) {
        this.#logger?.debug(
          `Reading ${displayUrl(url)} failed: ${stringifyError(error)}`,
        );
      }
      throw toReadError(error, url);
    }
  }

  async #read(url: URL, signal: AbortSignal): Promise<string> {
    const bytes = await readWithin(await this.#open(url, signal), {
      maxBytes: this.#maxBytes,
      signal,
    });
    if (!bytes) {
      throw new InputError(
        `${displayUrl(url)} is larger than ${this.#maxBytes} bytes`,
      );
    }
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    } catch {
      throw new InputError(`${displayUrl(url)} is not UTF-8 text`);
    }
  }

  async #open(url: URL, signal: AbortSignal): Promise<Readable> {
    if (this.#fetch && !this.#integrations?.byUrl(url.href)) {
      return (await this.#fetch.get(url, signal)).body;
    }
    const response = await this.#urlReader.readUrl(url.href, { signal });
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

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), {
      once: true,
    });
  });
}
