import type {
  IncomingHttpHeaders,
  IncomingMessage,
  OutgoingHttpHeaders,
} from 'node:http';
import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { AddressRules } from './AddressRules.ts';
import {
  TooManyRedirectsError,
  UnexpectedAnswerError,
  UnknownEncodingError,
} from './errors.ts';
import { guardedRequest } from './guardedRequest.ts';
import type { ResolveAll } from './publicLookup.ts';

const MAX_REDIRECTS = 3;
const REDIRECT_STATUSES = new Set([301, 302, 303, 307, 308]);

/** An answer, decompressed, and the address that gave it after redirects. */
export interface GuardedAnswer {
  url: URL;
  headers: IncomingHttpHeaders;
  body: Readable;
}

/**
 * Gets what others wrote from addresses that others chose, by {@link AddressRules} at
 * every step of at most three redirects.
 */
export class GuardedFetch {
  readonly #options: {
    rules: AddressRules;
    resolve?: ResolveAll;
    ca?: string[];
  };

  constructor(options: {
    rules: AddressRules;
    /** Name resolution; the system's by default. */
    resolve?: ResolveAll;
    /** Certificate authorities, where they are not the system's. */
    ca?: string[];
  }) {
    this.#options = options;
  }

  /**
   * Follows an address to an answer of 200. Destroy the body to end early.
   *
   * @param headers - sent to the origin of the address, and to none that it redirects to.
   * @throws AddressRefusedError, UnexpectedAnswerError, TooManyRedirectsError or
   *   UnknownEncodingError, and what Node.js says of connections.
   */
  async get(
    address: URL,
    signal: AbortSignal,
    headers: OutgoingHttpHeaders = {},
  ): Promise<GuardedAnswer> {
    let url = address;
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
      const answer = await guardedRequest(url, {
        ...this.#options,
        signal,
        headers: {
          ...(url.origin === address.origin && headers),
          'accept-encoding': 'gzip, deflate, br',
        },
      });
      const { statusCode = 0 } = answer;
      if (statusCode === 200) {
        return { url, headers: answer.headers, body: decompressed(answer) };
      }
      answer.destroy();
      const next = REDIRECT_STATUSES.has(statusCode)
        ? URL.parse(answer.headers.location ?? '', url)
        : null;
      if (!next || !answer.headers.location) {
        throw new UnexpectedAnswerError(url, statusCode);
      }
      next.hash = '';
      url = next;
    }
    throw new TooManyRedirectsError(address);
  }
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
