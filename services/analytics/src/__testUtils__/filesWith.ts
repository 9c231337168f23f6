import { execFile } from 'node:child_process';
import path from 'node:path';

/**
 * Lists the files below a directory that contain a text, by their relative paths. A
 * separate process reads them: closing a file releases all of this process's SQLite locks
 * on it, and then the next process that opens the database truncates memory that this one
 * still uses (SIGBUS).
 */
export function filesWith(directory: string, text: string): Promise<string[]> {
  return new Promise((resolve, reject) => {
    // Files may disappear meanwhile (-s).
    const args = ['-rlas', '--fixed-strings', '-e', text, '.'];
    execFile('grep', args, { cwd: directory }, (error, output) => {
      if (error && typeof error.code !== 'number') {
        reject(error);
        return;
      }
      const files = output.split('\n').filter(Boolean);
      resolve(files.map(file => path.normalize(file)));
    });
  });
}
