import path from 'node:path';
import { matchesGlob } from '../jobs/globs.ts';
import type { ArtifactsFrom } from '../jobs/JobParts.ts';
import type { Output } from './commands.ts';
import type { PlacedBuild } from './PlacedBuild.ts';

/**
 * Run as a command of the build, so that a link in the checkout leads only to where the build's own
 * commands have access.
 */
const MOVE = 'mkdir -p -- "$(dirname -- "$1")" && mv -- "$0" "$1"';

/**
 * Puts artifacts of other jobs into the checkout.
 *
 * @returns why it failed; the end of a sentence.
 * @throws Interruption
 */
export async function fetchArtifacts(
  placed: PlacedBuild,
  wanted: readonly ArtifactsFrom[],
  signal: AbortSignal,
): Promise<string | null> {
  const { jobArtifacts, place, log } = placed;
  const output: Output = chunk => log.write(chunk);
  for (const { job, files, to = '.' } of wanted) {
    const found = await jobArtifacts.list(job);
    if (!found) {
      return `${job} has no successful build`;
    }
    const { number } = found;
    const chosen = found.paths.filter(
      name => !files || files.some(glob => matchesGlob(name, glob)),
    );
    if (chosen.length === 0) {
      return `${job} #${number} has none of ${files?.join(', ') ?? 'them'}`;
    }
    for (const name of chosen) {
      const content = await jobArtifacts.open({ job, number, path: name });
      if (!content) {
        return `${name} of ${job} #${number} is gone`;
      }
      const failure = await place.run({
        argv: [
          ...['/bin/sh', '-c', MOVE],
          ...[await place.put(content), path.posix.join('.', to, name)],
        ],
        environment: {},
        isInternal: true,
        ...{ signal, output },
      });
      if (failure !== null) {
        return `${name}: ${failure}`;
      }
    }
    const noun = chosen.length === 1 ? 'artifact' : 'artifacts';
    await log.note(`==> ${chosen.length} ${noun} of ${job} #${number}`);
  }
  return null;
}
