import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';

/** A response as received. */
export interface Answer {
  status: number;
  /** Names in lower case; the last value if a name is repeated. */
  headers: Readonly<Record<string, string>>;
  /** Empty for an event stream, of which only the head is awaited. */
  body: Buffer;
}

const END_OF_HEAD = Buffer.from('\r\n\r\n');
const END_OF_LINE = Buffer.from('\r\n');

/** Decoders by content encoding, so that leaks and errors in compressed responses are found too. */
const UNPACK: Partial<Record<string, (body: Buffer) => Buffer>> = {
  gzip: gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
};

/**
 * Assembles one HTTP/1.1 response from the chunks in which it arrives. Used instead of a client
 * library, which would refuse to send hostile requests.
 */
export class AnswerReader {
  #received: Buffer = Buffer.alloc(0);
  #head: Pick<Answer, 'status' | 'headers'> | undefined;
  readonly #chunks: Buffer[] = [];
  readonly #isHead: boolean;

  /** @param method - method of the request: a response to HEAD has no body. */
  constructor(method: string) {
    this.#isHead = method === 'HEAD';
  }

  /** True if the connection cannot be reused after this response. */
  get isLast(): boolean {
    return (
      this.#head === undefined ||
      this.#head.headers.connection === 'close' ||
      this.#isStream ||
      this.#bodyLength === undefined
    );
  }

  /**
   * @returns the response once it is complete.
   * @throws Error if its chunks or its compression are malformed.
   */
  push(piece: Buffer): Answer | undefined {
    this.#received = Buffer.concat([this.#received, piece]);
    this.#readHead();
    const length = this.#bodyLength;
    if (!this.#head) {
      return undefined;
    }
    if (this.#isStream) {
      return { ...this.#head, body: Buffer.alloc(0) };
    }
    if (length === 'chunked') {
      return this.#readChunks();
    }
    return length !== undefined && this.#received.length >= length
      ? unpacked(this.#head, this.#received.subarray(0, length))
      : undefined;
  }

  /** Returns the response after the server has closed the connection, if that ends its body. */
  end(): Answer | undefined {
    return this.#head && this.#bodyLength === undefined
      ? unpacked(this.#head, this.#received)
      : undefined;
  }

  get #isStream(): boolean {
    return Boolean(
      this.#head?.headers['content-type']?.startsWith('text/event-stream'),
    );
  }

  get #bodyLength(): number | 'chunked' | undefined {
    const { status = 0, headers = {} } = this.#head ?? {};
    if (this.#isHead || status === 204 || status === 304) {
      return 0;
    }
    if (headers['transfer-encoding'] === 'chunked') {
      return 'chunked';
    }
    return headers['content-length'] === undefined
      ? undefined
      : Number(headers['content-length']);
  }

  #readHead(): void {
    while (!this.#head) {
      const end = this.#received.indexOf(END_OF_HEAD);
      if (end === -1) {
        return;
      }
      const [statusLine, ...lines] = this.#received
        .subarray(0, end)
        .toString('latin1')
        .split('\r\n');
      this.#received = this.#received.subarray(end + END_OF_HEAD.length);
      const status = Number(statusLine.split(' ')[1]);
      // `100 Continue` precedes the response.
      if (status >= 200) {
        this.#head = { status, headers: readHeaders(lines) };
      }
    }
  }

  #readChunks(): Answer | undefined {
    for (;;) {
      const end = this.#received.indexOf(END_OF_LINE);
      if (end === -1 || !this.#head) {
        return undefined;
      }
      const size = parseInt(this.#received.subarray(0, end).toString(), 16);
      const from = end + END_OF_LINE.length;
      if (Number.isNaN(size)) {
        throw new SyntaxError('A chunk has no size');
      }
      if (this.#received.length < from + size + END_OF_LINE.length) {
        return undefined;
      }
      if (size === 0) {
        return unpacked(this.#head, Buffer.concat(this.#chunks));
      }
      this.#chunks.push(this.#received.subarray(from, from + size));
      this.#received = this.#received.subarray(
        from + size + END_OF_LINE.length,
      );
    }
  }
}

function unpacked(
  head: Pick<Answer, 'status' | 'headers'>,
  body: Buffer,
): Answer {
  const unpack = UNPACK[head.headers['content-encoding'] ?? ''];
  return { ...head, body: unpack && body.length > 0 ? unpack(body) : body };
}

function readHeaders(lines: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    lines.map(line => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
}
