import type { IncomingMessage } from 'node:http';

const MAX_ANSWER_BYTES = 8 * 1024 * 1024;
/** Bytes before each part of an output: the stream, and the length of the part. */
const HEADER_BYTES = 8;

/** Thrown if the engine rejects a request or is unreachable; the message is the end of a sentence. */
export class EngineError extends Error {
  override readonly name = 'EngineError';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Reads a response. @throws EngineError if it is an error. */
export async function textOf(response: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of response as AsyncIterable<Buffer>) {
    size += part.length;
    if (size <= MAX_ANSWER_BYTES) {
      parts.push(part);
    }
  }
  const text = Buffer.concat(parts).toString('utf8');
  const { statusCode = 0 } = response;
  if (statusCode >= 300 && statusCode !== 304) {
    throw new EngineError(
      statusCode,
      findField('message', text) ?? text.slice(0, 200),
    );
  }
  return text;
}

/** Returns the first value of a string field in JSON; a pull writes several objects. */
export function findField(
  field: 'error' | 'message',
  json: string,
): string | undefined {
  const [, found] =
    new RegExp(`"${field}":\\s*("(?:[^"\\\\]|\\\\.)*")`).exec(json) ?? [];
  return found && (JSON.parse(found) as string);
}

/** Splits the output of an attached container into the parts of its streams. */
export async function* demultiplex(
  source: AsyncIterable<Buffer>,
): AsyncGenerator<{ stream: 'stdout' | 'stderr'; chunk: Buffer }> {
  let rest = Buffer.alloc(0);
  /** Remaining bytes of the current part. */
  let left = 0;
  let stream: 'stdout' | 'stderr' = 'stdout';
  for await (const part of source) {
    rest = Buffer.concat([rest, part]);
    while (rest.length > 0) {
      if (left === 0) {
        if (rest.length < HEADER_BYTES) {
          break;
        }
        stream = rest[0] === 2 ? 'stderr' : 'stdout';
        left = rest.readUInt32BE(4);
        rest = rest.subarray(HEADER_BYTES);
        continue;
      }
      const chunk = rest.subarray(0, left);
      left -= chunk.length;
      rest = rest.subarray(chunk.length);
      yield { stream, chunk };
    }
  }
}
