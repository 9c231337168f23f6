import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import type { JobRules } from '../jobs/checkJob.ts';
import type { KnownJobs } from '../jobs/otherJobs.ts';
import { inOrder, type JobFault, readJobFile } from '../jobs/readJobFile.ts';
import { readJobs } from '../jobs/readJobs.ts';
import { PIPELINE_FOLDER } from '../jobs/readPipelines.ts';

const USAGE = `Usage: ./slipway build lint [--pipelines] [file or folder ...]

Checks pipelines as the build server does; without arguments, those in ${PIPELINE_FOLDER}.
Files in other folders are checked as job files of the server or, with --pipelines, as
pipelines. Whether secrets exist is not checked, because only the server knows them. A
reference to a job that no file in the folder describes is a warning, not an error.
`;

const PIPELINES = '--pipelines';

const EXIT = { done: 0, faulty: 1, usage: 2 } as const;

/** Accepts the name of every secret, because only the server knows which exist. */
const RULES: JobRules = {
  secrets: { has: () => true },
  stepSecrets: { refusalOf: () => undefined },
  isProduction: false,
};

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
  let doubtful = 0;
  let files = 0;
  for (const place of places) {
    const found = await filesAt(path.resolve(context.cwd, place));
    if (!found) {
      context.write(`${place} cannot be read\n`);
      return EXIT.usage;
    }
    const folder = path.dirname(found[0] ?? place);
    const isPipeline =
      arePipelines || path.basename(folder) === PIPELINE_FOLDER;
    const rules = isPipeline ? { ...RULES, repositoryOf: 'repository' } : RULES;
    const others =
      isPipeline || found.length === 0 ? undefined : await jobsIn(folder);
    for (const file of found) {
      files += 1;
      const text = await readFile(file, 'utf8');
      const faults = faultsOf(text, rules);
      const warnings =
        faults.length > 0 ? [] : faultsOf(text, { ...rules, others });
      faulty += faults.length > 0 ? 1 : 0;
      doubtful += warnings.length > 0 ? 1 : 0;
      const shown = path.relative(context.cwd, file);
      const write =
        (kind: string) =>
        ({ line, column, message }: JobFault) =>
          context.write(`${shown}:${line}:${column}: ${kind}${message}\n`);
      faults.forEach(write(''));
      warnings.forEach(write('warning: '));
    }
  }
  const noun = files === 1 ? 'file' : 'files';
  const warned = doubtful > 0 ? `, ${doubtful} with warnings` : '';
  context.write(`${files} ${noun}, ${faulty} with faults${warned}\n`);
  return faulty > 0 ? EXIT.faulty : EXIT.done;
}

function faultsOf(text: string, rules: JobRules): JobFault[] {
  const read = readJobFile(text, rules);
  return 'faults' in read ? inOrder(read.faults) : [];
}

/** Returns the jobs that the files of a folder describe. */
async function jobsIn(folder: string): Promise<KnownJobs> {
  const files = await readJobs(folder, RULES);
  return new Map(files.map(({ name, job }) => [name, job]));
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
