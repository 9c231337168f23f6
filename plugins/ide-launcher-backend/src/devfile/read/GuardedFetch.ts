import { IncomingMessage } from 'node:http';
import { request, RequestOptions } from 'node:https';
import { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { InputError } from '@backstage/errors';
import { displayUrl, parseDevfileUrl } from './devfileUrl';
import { PrivateAddressError, publicLookup, ResolveAll } from './publicLookup';
import { hostNotAllowed } from './readErrors';
import { ReadingRules } from './ReadingRules';

const MAX_REDIRECTS = 3;
const REDIRECT_STATUSES = new Set([301, 302, 303, 307, 308]);

/** An answer, decompressed, and the address that gave it after redirects. */
export interface GuardedAnswer {
  url: URL;
  body: Readable;
}

/**
 * Gets what others wrote from addresses that others chose: https only, by
 * {@link ReadingRules} at every step of at most three redirects, and never
 * from a private address that nobody configured. No credentials are sent.
 */
export class GuardedFetch {
  readonly #rules: ReadingRules;
  readonly #resolve: ResolveAll | undefined;
  readonly #tls: Pick<RequestOptions, 'ca'>;

  constructor(options: {
    rules: ReadingRules;
    /** Name resolution; the system's by default. */
    resolve?: ResolveAll;
    /** Certificate authorities, where they are not the system's. */
    ca?: string[];
  }) {
    this.#rules = options.rules;
    this.#resolve = options.resolve;
    this.#tls = options.ca ? { ca: options.ca } : {};
  }

  /**
   * Follows an address to an answer of 200. Destroy the body to end early.
   *
   * @throws InputError saying which address was refused or what it answered;
   *   the signal's reason when it aborts.
   */
  async get(address: URL, signal: AbortSignal): Promise<GuardedAnswer> {
    let url = address;
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
      const answer = await this.#ask(url, signal);
      const { statusCode = 0, headers } = answer;
      if (statusCode === 200) {
        return { url, body: decompressed(answer) };
      }
      answer.destroy();
      if (!REDIRECT_STATUSES.has(statusCode) || !headers.location) {
        throw new InputError(`${displayUrl(url)} answered ${statusCode}`);
      }
      url = parseDevfileUrl(headers.location, 'a redirect', url);
    }
    throw new InputError(`${displayUrl(address)} redirects too often`);
  }

  #ask(url: URL, signal: AbortSignal): Promise<IncomingMessage> {
    const verdict = this.#rules.judge(url);
    if (verdict === 'refused') {
      throw hostNotAllowed(url);
    }
    return new Promise((resolve, reject) => {
      request(url, {
        ...this.#tls,
        signal,
        // A connection of its own: one that is kept was checked for somebody else.
        agent: false,
        headers: { 'accept-encoding': 'gzip, deflate, br' },
        ...(verdict === 'public' && { lookup: publicLookup(this.#resolve) }),
      })
        .on('response', resolve)
        .on('error', error =>
          reject(
            error instanceof PrivateAddressError ? hostNotAllowed(url) : error,
          ),
        )
        .end();
    });
  }
}

function decompressed(answer: IncomingMessage): Readable {
  const decoder = decoderOf(answer.headers['content-encoding']);
  if (!decoder) {
    return answer;
  }
  answer.on('error', error => decoder.destroy(error));
  decoder.on('close', () => answer.destroy());
  return answer.pipe(decoder);
}

function decoderOf(encoding: string | undefined) {
  switch (encoding?.trim().toLocaleLowerCase('en-US')) {
    case undefined:
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
      throw new InputError('the answer is compressed in an unknown way');
  }
}
