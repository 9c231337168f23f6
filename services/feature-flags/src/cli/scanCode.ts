import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { FoundReference } from '../model/CodeReference.ts';

const run = promisify(execFile);

const MAX_BYTES = 1_048_576;
const MAX_TEXT = 120;
/** Maximum number of lines sent per flag; at this number, the portal says that there may be more. */
export const MAX_PER_FLAG = 100;
const MAX_OUTPUT = 64 * MAX_BYTES;
/** A flag's name as a string literal in code. */
const QUOTED =
  /(["'`])([\p{L}\p{M}\p{N}\p{Extended_Pictographic}_.~-]{1,100})\1/gu;

/** Finds the lines of a checkout's tracked files that name flags in quotes. */
export async function scanCode(
  folder: string,
  flags: ReadonlySet<string>,
): Promise<FoundReference[]> {
  const { stdout } = await run('git', ['-C', folder, 'ls-files', '-z'], {
    maxBuffer: MAX_OUTPUT,
  });
  const found: FoundReference[] = [];
  for (const path of stdout.split('\0').filter(Boolean)) {
    found.push(...(await scanFile(folder, path, flags)));
  }
  return found;
}

/**
 * Limits the references to each flag.
 *
 * @returns the first references to each flag, and the number found for each flag that has more.
 */
export function limitReferences(found: readonly FoundReference[]): {
  kept: FoundReference[];
  exceeding: ReadonlyMap<string, number>;
} {
  const counts = new Map<string, number>();
  const kept = found.filter(({ flag }) => {
    const count = (counts.get(flag) ?? 0) + 1;
    counts.set(flag, count);
    return count <= MAX_PER_FLAG;
  });
  return {
    kept,
    exceeding: new Map([...counts].filter(([, count]) => count > MAX_PER_FLAG)),
  };
}

async function scanFile(
  folder: string,
  path: string,
  flags: ReadonlySet<string>,
): Promise<FoundReference[]> {
  // Submodules, broken links and deleted files cannot be read.
  const content = await readFile(join(folder, path)).catch(() => undefined);
  if (!content || content.length > MAX_BYTES || content.includes(0)) {
    return [];
  }
  return content
    .toString('utf8')
    .split(/\r?\n/)
    .flatMap((text, index) => {
      const names = [...text.matchAll(QUOTED)].map(match => match[2]);
      return [...new Set(names)]
        .filter(name => flags.has(name))
        .map(flag => ({
          flag,
          path,
          line: index + 1,
          text: text.trim().slice(0, MAX_TEXT),
        }));
    });
}

/** Reads the commit of a checkout and the web URL of its origin. */
export async function readCheckout(
  folder: string,
): Promise<{ commit: string; repository: string | undefined }> {
  const git = async (...args: string[]) =>
    (await run('git', ['-C', folder, ...args])).stdout.trim();
  const origin = await git('remote', 'get-url', 'origin').catch(() => '');
  return {
    commit: await git('rev-parse', 'HEAD'),
    repository: webAddressOf(origin),
  };
}

/** Returns the https URL of a Git remote, without credentials; undefined for a local one. */
export function webAddressOf(remote: string): string | undefined {
  const ssh = /^(?:ssh:\/\/)?[^@/\s]+@([^:/\s]+)(?::\d+)?[:/]([^\s]+)$/.exec(
    remote,
  );
  const address = ssh ? `https://${ssh[1]}/${ssh[2]}` : remote;
  const url = URL.parse(address);
  if (!url || !/^https?:$/.test(url.protocol)) {
    return undefined;
  }
  url.username = '';
  url.password = '';
  return url.href.replace(/\.git$/, '');
}
