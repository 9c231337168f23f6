import { accessSync, constants } from 'node:fs';
import path from 'node:path';

/** Where system programs are when PATH does not say. */
const SYSTEM_FOLDERS = ['/usr/local/bin', '/usr/bin', '/usr/sbin', '/bin'];

/** The absolute path of a program on a PATH, or in the system's folders; null when it is not there. */
export function findProgram(name: string, searchPath: string): string | null {
  return (
    [...searchPath.split(path.delimiter), ...SYSTEM_FOLDERS]
      .filter(folder => path.isAbsolute(folder))
      .map(folder => path.join(folder, name))
      .find(isExecutable) ?? null
  );
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
