import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { inOrder, readJobFile } from '../jobs/readJobFile.ts';
import { PIPELINE_FOLDER } from '../jobs/readPipelines.ts';

const USAGE = `Usage: yarn slipway build lint [--pipelines] [file or folder ...]

Checks pipelines as the build server does: those of ${PIPELINE_FOLDER} where nothing is named.
Files of other folders are checked as job files of the server, or as pipelines with --pipelines. Whether the secrets that
a file names are there is known to the server alone.
`;

const PIPELINES = '--pipelines';

const EXIT = { done: 0, faulty: 1, usage: 2 } as const;

/**
 * Runs `build lint`: writes each fault as `file:line:column: message`, the format that
 * editors parse.
 *
 * @param args - arguments after the program name.
 * @param context.cwd - base folder of relative file names.
 * @returns the exit code.
 */
export async function lint(
  args: readonly string[],
  context: { cwd: string; write(text: string): void },
): Promise<number> {
  const [group, command, ...rest] = args;
  const named = rest.filter(arg => arg !== PIPELINES);
  const arePipelines = named.length < rest.length;
  const isHelp = args.includes('--help');
  if (group !== 'build' || command !== 'lint' || isHelp) {
    context.write(USAGE);
    return isHelp ? EXIT.done : EXIT.usage;
  }
  const places = named.length > 0 ? named : [PIPELINE_FOLDER];
  let faulty = 0;
  let files = 0;
  for (const place of places) {
    const found = await filesAt(path.resolve(context.cwd, place));
    if (!found) {
      context.write(`${place} cannot be read\n`);
      return EXIT.usage;
    }
    for (const file of found) {
      files += 1;
      const isPipeline =
        arePipelines || path.basename(path.dirname(file)) === PIPELINE_FOLDER;
      const faults = faultsOf(await readFile(file, 'utf8'), isPipeline);
      faulty += faults.length > 0 ? 1 : 0;
      const shown = path.relative(context.cwd, file);
      for (const { line, column, message } of faults) {
        context.write(`${shown}:${line}:${column}: ${message}\n`);
      }
    }
  }
  const noun = files === 1 ? 'file' : 'files';
  context.write(`${files} ${noun}, ${faulty} with faults\n`);
  return faulty > 0 ? EXIT.faulty : EXIT.done;
}

function faultsOf(text: string, isPipeline: boolean) {
  const read = readJobFile(text, {
    secrets: { has: () => true },
    stepSecrets: { refusalOf: () => undefined },
    isProduction: false,
    ...(isPipeline && { repositoryOf: 'repository' }),
  });
  return 'faults' in read ? inOrder(read.faults) : [];
}

async function filesAt(place: string): Promise<string[] | undefined> {
  try {
    if (!(await stat(place)).isDirectory()) {
      return [place];
    }
    const names = await readdir(place);
    return names
      .filter(name => /\.ya?ml$/.test(name))
      .sort()
      .map(name => path.join(place, name));
  } catch {
    return undefined;
  }
}
