import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { ConfigurationError } from '@slipway/service-kit';
import { Check } from 'typebox/schema';
import type { JobRules } from './checkJob.ts';
import { type Job, JobSchema } from './Job.ts';
import { type JobFault, readJobFile } from './readJobFile.ts';

/** One file of the folder of jobs. */
export interface JobFile {
  /** Its name in the folder. */
  file: string;
  /** The name of the job, or of the file without its extension if the file gives no name. */
  name: string;
  /** The job; undefined if the file has faults. */
  job?: Job;
  faults: JobFault[];
}

/**
 * Reads every job of a folder. A file with faults does not affect the others.
 *
 * @param rules - the rules for jobs.
 * @throws ConfigurationError if the folder cannot be read.
 */
export async function readJobs(
  directory: string,
  rules: JobRules,
): Promise<JobFile[]> {
  const files = (await list(directory)).filter(name => /\.ya?ml$/.test(name));
  const found = await Promise.all(
    files.sort().map(file => readOne(path.join(directory, file), rules)),
  );
  const named = new Map<string, JobFile>();
  const key = ({ name }: JobFile) => name.toLowerCase();
  for (const file of found.filter(({ job }) => job)) {
    const known = named.get(key(file));
    if (known) {
      // The first one keeps the name.
      const message = `${known.file} describes a job ${file.name} already`;
      file.faults = [{ message, line: 1, column: 1 }];
      file.job = undefined;
    } else {
      named.set(key(file), file);
    }
  }
  // A valid job is never shadowed by an invalid one.
  for (const file of found.filter(({ job }) => !job)) {
    file.name = named.has(key(file)) ? nameOf(file.file, named) : file.name;
    named.set(key(file), file);
  }
  return found;
}

/** Returns a fingerprint of the files of a folder, to detect changes: names, sizes and times. */
export async function fingerprintJobs(directory: string): Promise<string> {
  const names = (await list(directory)).filter(name => /\.ya?ml$/.test(name));
  const stats = names.sort().map(async name => {
    const { size, mtimeMs, ino } = await stat(path.join(directory, name));
    return [name, size, mtimeMs, ino].join('\t');
  });
  return (await Promise.all(stats)).join('\n');
}

async function readOne(place: string, rules: JobRules): Promise<JobFile> {
  const file = path.basename(place);
  let text: string;
  try {
    text = await readFile(place, 'utf8');
  } catch {
    const message = 'The file cannot be read';
    const faults = [{ message, line: 1, column: 1 }];
    return { file, name: nameOf(file), faults };
  }
  const read = readJobFile(text, rules);
  return 'job' in read
    ? { file, name: read.job.name, job: read.job, faults: [] }
    : {
        file,
        name: Check(JobSchema.properties.name, read.name)
          ? read.name
          : nameOf(file),
        faults: read.faults,
      };
}

/** Returns a unique name for a file that gives none. */
function nameOf(file: string, taken?: ReadonlyMap<string, unknown>): string {
  const stem = file
    .replace(/\.ya?ml$/, '')
    .replace(/[^A-Za-z0-9_.-]/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, 90);
  const name = stem === '' ? 'job' : stem;
  return taken?.has(name.toLowerCase()) ? `${name}.${taken.size}` : name;
}

async function list(directory: string): Promise<string[]> {
  try {
    return await readdir(directory);
  } catch (error) {
    throw new ConfigurationError([
      `buildServer.jobsDirectory cannot be read: ${(error as Error).message}`,
    ]);
  }
}
