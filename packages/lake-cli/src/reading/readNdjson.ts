import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { toContent, type Kind, type Line } from './Line.ts';

const BYTE_ORDER_MARK = '\uFEFF';

function parse(text: string, kind: Kind): Line['content'] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { error: 'The line is not JSON', item: text };
  }
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? toContent({ ...value }, kind)
    : { error: 'The line is not a JSON object', item: value };
}

/** Reads a file of one JSON object a line, without holding more than a few of them. */
export async function* readNdjson(
  file: string,
  kind: Kind,
): AsyncGenerator<Line> {
  const lines = createInterface({
    input: createReadStream(file),
    crlfDelay: Infinity,
  });
  let line = 0;
  let bytes = 0;
  for await (const text of lines) {
    line += 1;
    bytes += Buffer.byteLength(text) + 1;
    const trimmed = text.replace(BYTE_ORDER_MARK, '').trim();
    if (trimmed) {
      yield { line, bytes, content: parse(trimmed, kind) };
    }
  }
}
