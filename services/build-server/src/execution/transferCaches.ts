import { createHash } from 'node:crypto';
import type { JobCache } from '../jobs/JobParts.ts';
import { CacheError, type CacheKey } from './Exchange.ts';
import { type Output, ReportError } from './commands.ts';
import type { PlacedBuild } from './PlacedBuild.ts';
import { freshName } from './placeFiles.ts';
import { readBuildFiles } from './readBuildFiles.ts';

/** A cache that was not found with its exact key, and needs saving. */
interface Unsaved extends CacheKey {
  paths: readonly string[];
}

/** Run as a command of the build, which has access only to its own folders. */
const UNPACK = 'tar -xzf "$0" -C "$WORKSPACE/.." && rm -f "$0"';
const PACK = `
cd "$WORKSPACE/.."
for name; do
  shift
  if [ -e "$name" ]; then set -- "$@" "$name"; fi
done
[ $# -gt 0 ] || exit 3
tar -czf "$HOME/$0" -- "$@"
`;

/**
 * Restores the caches of a build. A missing or corrupt cache does not fail the build.
 *
 * @returns the caches to save when the build succeeds.
 * @throws Interruption
 */
export async function restoreCaches(
  placed: PlacedBuild,
  wanted: readonly JobCache[],
  signal: AbortSignal,
): Promise<Unsaved[]> {
  const { caches, log, place } = placed;
  const unsaved: Unsaved[] = [];
  for (const { name, files = [], paths } of wanted) {
    try {
      const cache = { name, key: await keyOf(placed, { files, paths }) };
      const found = await caches.fetch(cache);
      if (!found?.isExact) {
        unsaved.push({ ...cache, paths });
      }
      if (!found) {
        await log.note(`==> Cache ${name}: there is none yet`);
        continue;
      }
      const file = await place.put(found.content);
      const failure = await run(placed, {
        argv: ['/bin/sh', '-c', UNPACK, file],
        signal,
      });
      await log.note(
        failure === null
          ? `==> Cache ${name}: restored${found.isExact ? '' : ', from other files'}`
          : `==> Cache ${name}: not restored, ${failure}`,
      );
    } catch (error) {
      await tell(placed, { name, error, signal });
    }
  }
  return unsaved;
}

/** Saves caches. Errors do not fail the build. @throws Interruption */
export async function saveCaches(
  placed: PlacedBuild,
  unsaved: readonly Unsaved[],
  signal: AbortSignal,
): Promise<void> {
  const { caches, log, place } = placed;
  for (const { paths, ...cache } of unsaved) {
    const { name } = cache;
    const target = freshName();
    try {
      const failure = await run(placed, {
        argv: ['/bin/sh', '-e', '-c', PACK, target, ...paths.map(inside)],
        signal,
      });
      const file = failure === null ? await place.take(target) : undefined;
      if (!file) {
        const why = failure?.endsWith('exit code 3')
          ? `none of ${paths.join(', ')} is there`
          : (failure ?? 'its file is gone');
        await log.note(`==> Cache ${name}: not saved, ${why}`);
        continue;
      }
      try {
        await caches.save(cache, file.createReadStream({ autoClose: false }));
      } finally {
        await file.close();
      }
      await log.note(`==> Cache ${name}: saved`);
    } catch (error) {
      await tell(placed, { name, error, signal });
    }
  }
}

async function tell(
  { log, logger }: PlacedBuild,
  options: { name: string; error: unknown; signal: AbortSignal },
): Promise<void> {
  const { name, error, signal } = options;
  signal.throwIfAborted();
  const isKnown = error instanceof CacheError || error instanceof ReportError;
  if (!isKnown) {
    logger.warn({ err: error }, 'Could not transfer a cache');
  }
  const why = isKnown ? error.message : 'the build server could not do it';
  await log.note(`==> Cache ${name}: ${why}`);
}

/** Returns the path of a cached folder in archives: relative to the parent of the work and home folders. */
function inside(name: string): string {
  return name.startsWith('~/') ? `home/${name.slice(2)}` : `work/${name}`;
}

async function keyOf(
  { job, place }: PlacedBuild,
  { files, paths }: { files: readonly string[]; paths: readonly string[] },
): Promise<string> {
  const found = files.length > 0 ? await readBuildFiles(place, files) : [];
  const digest = createHash('sha256').update(
    JSON.stringify([
      process.platform,
      process.arch,
      job.container?.image ?? null,
      paths,
    ]),
  );
  for (const { path, text } of found.sort((one, other) =>
    one.path < other.path ? -1 : 1,
  )) {
    digest.update(JSON.stringify([path, text]));
  }
  return digest.digest('hex');
}

function run(
  { place, log }: PlacedBuild,
  { argv, signal }: { argv: readonly string[]; signal: AbortSignal },
): Promise<string | null> {
  const output: Output = chunk => log.write(chunk);
  return place.run({
    ...{ argv, signal, output },
    environment: {},
    isInternal: true,
  });
}
