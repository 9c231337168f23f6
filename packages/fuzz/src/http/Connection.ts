import { connect, type Socket } from 'node:net';
import { type Answer, AnswerReader } from './AnswerReader.ts';

/** A request to the byte, so that it can be sent again. */
export interface HostileRequest {
  method: string;
  /** Path and query as they are sent. */
  target: string;
  /** Each character one byte. Without `Content-Length`, which the body gives. */
  headers: readonly (readonly [name: string, value: string])[];
  body?: Buffer;
  /** Share of the bytes after which the sender hangs up. */
  cutAt?: number;
}

/** How long nothing may be heard on a machine that does much else. */
const ANSWER_TIMEOUT_MS = 30_000;

/** How an exchange ended that brought no answer. */
export type NoAnswer = 'closed' | 'late' | 'unreachable' | 'garbled';

/** Sends requests to this machine byte for byte, one after the other, over a connection that it keeps. */
export class Connection {
  readonly #port: number;
  #socket: Socket | undefined;

  constructor(port: number) {
    this.#port = port;
  }

  async send(request: HostileRequest): Promise<Answer | NoAnswer> {
    // Closed by the server since the last answer.
    if (this.#socket?.destroyed || this.#socket?.readableEnded) {
      this.close();
    }
    const kept = this.#socket;
    const outcome = await this.#exchange(request);
    // A server may close what it kept open just as the next request is sent.
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
