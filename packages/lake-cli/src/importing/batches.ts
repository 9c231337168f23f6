import type { Line } from '../reading/Line.ts';

/** What one request of the lake takes. */
const MAX_ITEMS = 1_000;
/** Below the 1 MiB of a request, with room for its frame. */
const MAX_BYTES = 900 * 1_024;

/** Consecutive lines of a file, acknowledged together. */
export interface Batch {
  lines: Line[];
  /** The last line and the bytes up to its end. */
  lastLine: number;
  bytes: number;
}

function sizeOf({ content }: Line): number {
  return Buffer.byteLength(JSON.stringify(content.item)) + 1;
}

/** Turns an item that no request can carry into a rejected one. */
function carriable(line: Line, size: number): Line {
  return size <= MAX_BYTES
    ? line
    : {
        ...line,
        content: {
          error: `The item has more than ${MAX_BYTES / 1_024} KiB`,
          item: undefined,
        },
      };
}

function toBatch(lines: Line[]): Batch {
  const { line: lastLine, bytes } = lines[lines.length - 1];
  return { lines, lastLine, bytes };
}

/** Groups lines so that those of a batch fit into one request of each kind. */
export async function* inBatches(
  lines: AsyncIterable<Line>,
): AsyncGenerator<Batch> {
  let pending: Line[] = [];
  let pendingBytes = 0;
  for await (const line of lines) {
    const size = Math.min(sizeOf(line), MAX_BYTES + 1);
    const fits = carriable(line, size);
    const carried = fits === line ? size : 0;
    if (
      pending.length === MAX_ITEMS ||
      (pending.length > 0 && pendingBytes + carried > MAX_BYTES)
    ) {
      yield toBatch(pending);
      pending = [];
      pendingBytes = 0;
    }
    pending.push(fits);
    pendingBytes += carried;
  }
  if (pending.length > 0) {
    yield toBatch(pending);
  }
}
