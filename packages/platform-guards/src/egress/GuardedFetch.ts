import type {
  IncomingHttpHeaders,
  IncomingMessage,
  OutgoingHttpHeaders,
} from 'node:http';
import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { AddressRules } from './AddressRules.ts';
import { guardedRequest, type ResolveAll } from './guardedRequest.ts';

/** Thrown for a response other than 200 that is not a redirect. */
export class UnexpectedAnswerError extends Error {
  override readonly name = 'UnexpectedAnswerError';
  readonly url: URL;
  readonly status: number;

  constructor(url: URL, status: number) {
    super(`${url.host} answered ${status}`);
    this.url = url;
    this.status = status;
  }
}

/** Thrown for more redirects than allowed. */
export class TooManyRedirectsError extends Error {
  override readonly name = 'TooManyRedirectsError';
  /** The address originally requested. */
  readonly url: URL;

  constructor(url: URL) {
    super(`${url.host} redirects too often`);
    this.url = url;
  }
}

/** Thrown for a response with an unsupported compression. */
export class UnknownEncodingError extends Error {
  override readonly name = 'UnknownEncodingError';

  constructor(encoding: string) {
    super(`the response has the unsupported encoding '${encoding}'`);
  }
}

const MAX_REDIRECTS = 3;
const REDIRECT_STATUSES = new Set([301, 302, 303, 307, 308]);

/** Statuses for which a redirected POST becomes a GET, as in browsers. */
const REDIRECTS_TO_GET = new Set([301, 302, 303]);

/** A decompressed response, and its address after redirects. */
export interface GuardedAnswer {
  url: URL;
  status: number;
  headers: IncomingHttpHeaders;
  body: Readable;
}

/** A request for {@link GuardedFetch.send}. */
export interface GuardedSending {
  /** Defaults to GET. */
  method?: string;
  /** Sent only to the origin of the address, not to other origins after a redirect. */
  headers?: OutgoingHttpHeaders;
  body?: Buffer;
  signal?: AbortSignal;
  /** False to return redirects like other responses. Default: true. */
  follow?: boolean;
}

/** Options of a {@link GuardedFetch}. */
interface FetchOptions {
  rules: AddressRules;
  /** Name resolution; defaults to the system's. */
  resolve?: ResolveAll;
  /** Certificate authorities; default to the system's. */
  ca?: string[];
}

/**
 * Fetches untrusted content from untrusted addresses. Applies {@link AddressRules} at every step
 * and follows at most three redirects.
 */
export class GuardedFetch {
  readonly #options: FetchOptions;

  constructor(options: FetchOptions) {
    this.#options = options;
  }

  /**
   * Sends a GET request and follows redirects until a 200 response. Destroy the body to stop early.
   *
   * @param headers - sent only to the origin of the address, not to other origins after a redirect.
   * @throws AddressRefusedError, UnexpectedAnswerError, TooManyRedirectsError or
   *   UnknownEncodingError, and connection errors of Node.js.
   */
  async get(
    address: URL,
    signal: AbortSignal,
    headers: OutgoingHttpHeaders = {},
  ): Promise<GuardedAnswer> {
    const answer = await this.send(address, { signal, headers });
    if (answer.status !== 200) {
      answer.body.destroy();
      throw new UnexpectedAnswerError(answer.url, answer.status);
    }
    return answer;
  }

  /**
   * Sends a request and follows redirects to a response of any other status.
   *
   * @throws AddressRefusedError, TooManyRedirectsError or UnknownEncodingError, and connection
   *   errors of Node.js.
   */
  async send(address: URL, sending: GuardedSending): Promise<GuardedAnswer> {
    const { headers, follow = true, signal } = sending;
    let { method = 'GET', body } = sending;
    let url = address;
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
      const answer = await guardedRequest(url, {
        ...this.#options,
        signal,
        method,
        body,
        headers: {
          ...(url.origin === address.origin && headers),
          'accept-encoding': 'gzip, deflate, br',
        },
      });
      const { statusCode: status = 0 } = answer;
      const next = follow ? redirectOf(answer, url) : null;
      if (!next) {
        return {
          url,
          status,
          headers: answer.headers,
          body: decompressed(answer),
        };
      }
      answer.destroy();
      url = next;
      if (method === 'POST' && REDIRECTS_TO_GET.has(status)) {
        method = 'GET';
        body = undefined;
      }
    }
    throw new TooManyRedirectsError(address);
  }
}

function redirectOf(answer: IncomingMessage, url: URL): URL | null {
  const { location } = answer.headers;
  if (!location || !REDIRECT_STATUSES.has(answer.statusCode ?? 0)) {
    return null;
  }
  const next = URL.parse(location, url);
  if (next) {
    next.hash = '';
  }
  return next;
}

function decompressed(answer: IncomingMessage): Readable {
  const decoder = decoderOf(answer);
  if (!decoder) {
    return answer;
  }
  answer.on('error', error => decoder.destroy(error));
  decoder.on('close', () => answer.destroy());
  return answer.pipe(decoder);
}

function decoderOf(answer: IncomingMessage) {
  const encoding = answer.headers['content-encoding'] ?? '';
  switch (encoding.trim().toLocaleLowerCase('en-US')) {
    case '':
    case 'identity':
      return null;
    case 'gzip':
    case 'x-gzip':
      return createGunzip();
    case 'deflate':
      return createInflate();
    case 'br':
      return createBrotliDecompress();
    default:
      answer.destroy();
      throw new UnknownEncodingError(encoding);
  }
}
