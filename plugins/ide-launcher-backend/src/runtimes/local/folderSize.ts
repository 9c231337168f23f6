import { lstat, readdir } from 'node:fs/promises';
import path from 'node:path';

/** Bytes that the files below a folder occupy; stops counting once `limit` is passed. */
export async function folderSize(
  folder: string,
  limit: number,
): Promise<number> {
  let total = 0;
  const pending = [folder];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const current = next;
    const entries = await readdir(current, { withFileTypes: true }).catch(
      () => [],
    );
    for (const entry of entries) {
      const file = path.join(current, entry.name);
      if (entry.isDirectory()) {
        pending.push(file);
      } else {
        total += (await lstat(file).catch(() => null))?.size ?? 0;
      }
    }
    if (total > limit) {
      return total;
    }
  }
  return total;
}
