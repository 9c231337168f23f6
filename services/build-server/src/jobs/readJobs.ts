import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { ConfigurationError } from '@slipway/service-kit';
import { parseDocument } from 'yaml';
import { checkJob, type JobRules } from './checkJob.ts';
import type { Job } from './Job.ts';

/**
 * Reads every job of a folder.
 *
 * @param rules - what jobs are held to.
 * @throws ConfigurationError naming each fault of each file.
 */
export async function readJobs(
  directory: string,
  rules: JobRules,
): Promise<Job[]> {
  const files = (await list(directory)).filter(name => /\.ya?ml$/.test(name));
  const jobs = new Map<string, { job: Job; file: string }>();
  const faults: string[] = [];
  for (const file of files.sort()) {
    const read = readJob(
      await readFile(path.join(directory, file), 'utf8'),
      rules,
    );
    if ('faults' in read) {
      faults.push(...read.faults.map(fault => `${file}: ${fault}`));
      continue;
    }
    const { job } = read;
    const known = jobs.get(job.name.toLowerCase());
    if (known) {
      faults.push(`${file}: ${known.file} describes a job ${job.name} already`);
    }
    jobs.set(job.name.toLowerCase(), { job, file });
  }
  if (faults.length > 0) {
    throw new ConfigurationError(faults);
  }
  return [...jobs.values()].map(({ job }) => job);
}

function readJob(text: string, rules: JobRules): ReturnType<typeof checkJob> {
  const document = parseDocument(text);
  const faults = document.errors.map(({ message }) => message.split('\n')[0]);
  if (faults.length > 0) {
    return { faults };
  }
  try {
    return checkJob(document.toJS({ maxAliasCount: 100 }), rules);
  } catch (error) {
    return { faults: [(error as Error).message] };
  }
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
