import { connect, type Socket } from 'node:net';
import { type Answer, AnswerReader } from './AnswerReader.ts';

/** A byte-exact request, so that it can be repeated. */
export interface HostileRequest {
  method: string;
  /** Path and query, sent unchanged. */
  target: string;
  /** One byte per character. Without `Content-Length`, which is derived from the body. */
  headers: readonly (readonly [name: string, value: string])[];
  body?: Buffer;
  /** Fraction of the bytes after which the sender closes the connection. */
  cutAt?: number;
}

/** Timeout for a response, long enough for a busy machine. */
const ANSWER_TIMEOUT_MS = 30_000;

/** The result of an exchange without a response. */
export type NoAnswer = 'closed' | 'late' | 'unreachable' | 'garbled';

/** Sends byte-exact requests to this machine, one after another, over a persistent connection. */
export class Connection {
  readonly #port: number;
  #socket: Socket | undefined;

  constructor(port: number) {
    this.#port = port;
  }

  async send(request: HostileRequest): Promise<Answer | NoAnswer> {
    // Closed by the server since the last response.
    if (this.#socket?.destroyed || this.#socket?.readableEnded) {
      this.close();
    }
    const kept = this.#socket;
    const outcome = await this.#exchange(request);
    // A server may close an idle connection just as the next request is sent.
    return outcome === 'closed' && kept ? this.#exchange(request) : outcome;
  }

  close(): void {
    this.#socket?.destroy();
    this.#socket = undefined;
  }

  #exchange(request: HostileRequest): Promise<Answer | NoAnswer> {
    const socket = (this.#socket ??= connect(this.#port, '127.0.0.1'));
    const reader = new AnswerReader(request.method);
    return new Promise(resolve => {
      const settle = (outcome: Answer | NoAnswer, isLast: boolean) => {
        for (const event of ['data', 'error', 'close', 'timeout']) {
          socket.removeAllListeners(event);
        }
        socket.on('error', () => {});
        if (isLast || request.cutAt !== undefined) {
          this.close();
        }
        resolve(outcome);
      };
      socket.setTimeout(ANSWER_TIMEOUT_MS);
      socket.on('timeout', () => settle('late', true));
      socket.on('data', piece => {
        try {
          const answer = reader.push(piece);
          if (answer) {
            settle(answer, reader.isLast);
          }
        } catch {
          settle('garbled', true);
        }
      });
      socket.on('error', (error: NodeJS.ErrnoException) => {
        settle(error.code === 'ECONNREFUSED' ? 'unreachable' : 'closed', true);
      });
      socket.on('close', () => settle(reader.end() ?? 'closed', true));
      const bytes = bytesOf(request);
      if (request.cutAt === undefined) {
        socket.write(bytes);
      } else {
        socket.end(bytes.subarray(0, Math.floor(bytes.length * request.cutAt)));
      }
    });
  }
}

function bytesOf({ method, target, headers, body }: HostileRequest): Buffer {
  const head = [
    `${method} ${target} HTTP/1.1`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...(body ? [`Content-Length: ${body.length}`] : []),
    '',
    '',
  ].join('\r\n');
  return Buffer.concat([Buffer.from(head, 'latin1'), body ?? Buffer.alloc(0)]);
}
