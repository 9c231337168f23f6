import { stat, truncate } from 'node:fs/promises';
import { createIdeLogCleaner } from './ideLogCleaner';
import { LogFollower } from './LogFollower';

/** An editor appends to one log over all its starts; beyond this a start begins anew. */
const MAX_LOG_BYTES = 10 * 1024 ** 2;

/** Empties a log that has grown too large. @returns its size, where new output begins. */
export async function boundIdeLog(file: string): Promise<number> {
  const size = (await stat(file).catch(() => null))?.size ?? 0;
  if (size <= MAX_LOG_BYTES) {
    return size;
  }
  await truncate(file);
  return 0;
}

/** Forwards what an editor logs from byte `start` on, without what says nothing. */
export function followIdeLog(
  file: string,
  start: number,
  onLine: (line: string) => void,
): LogFollower {
  const clean = createIdeLogCleaner();
  return new LogFollower(file, start, line => {
    const text = clean(line);
    if (text !== null) {
      onLine(text);
    }
  });
}
