import { parseArgs } from 'node:util';
import { ImportClient } from './ImportClient.ts';
import { importFile, type ImportReport } from './importFile.ts';

const USAGE = `yarn analytics import FILE... --project <id>

Imports events and persons that PostHog or this service exported: one JSON object per
line, or pages of PostHog's API; also compressed with gzip. Run it again to go on after
an interruption: no event is stored twice.

  --url      address of the analytics service (ANALYTICS_URL; default http://localhost:8100)
  --token    an API token with the scope import (ANALYTICS_TOKEN)
  --project  the project that receives the events
  --dry-run  checks the files and sends nothing

Exits with 1 if rows could not be imported, with 2 if the import failed.
`;

/** What the command reads and writes in addition to files. */
interface Surroundings {
  environment: NodeJS.ProcessEnv;
  stdout: { write(text: string): unknown };
  stderr: { write(text: string): unknown };
}

/** Runs `yarn analytics`. @returns the exit code. */
export async function run(
  args: readonly string[],
  { environment, stdout, stderr }: Surroundings,
): Promise<number> {
  let options;
  try {
    options = readArguments(args, environment);
  } catch (error) {
    stderr.write(`${(error as Error).message}\n\n${USAGE}`);
    return 2;
  }
  const { files, url, project, token, dryRun } = options;
  const client = dryRun ? undefined : new ImportClient({ url, project, token });
  let isComplete = true;
  for (const file of files) {
    try {
      const report = await importFile(file, {
        client,
        target: `${url} ${project}`,
        onProgress: now => stderr.write(`\r${file}: ${progressOf(now)}`),
      });
      stderr.write('\n');
      stdout.write(describe(file, report, { dryRun }));
      isComplete &&= report.skipped.size === 0;
    } catch (error) {
      stderr.write(`\n${file}: ${(error as Error).message}\n`);
      return 2;
    }
  }
  return isComplete ? 0 : 1;
}

function readArguments(
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
) {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      url: {
        type: 'string',
        default: environment.ANALYTICS_URL ?? 'http://localhost:8100',
      },
      token: { type: 'string', default: environment.ANALYTICS_TOKEN ?? '' },
      project: { type: 'string' },
      'dry-run': { type: 'boolean', default: false },
    },
  });
  const [command, ...files] = positionals;
  const { url, token, project, 'dry-run': dryRun } = values;
  if (command !== 'import') {
    throw new Error(
      command ? `There is no command ${command}` : 'A command is required',
    );
  }
  if (files.length === 0) {
    throw new Error('Name at least one file to import');
  }
  if (!dryRun && !project) {
    throw new Error('--project is required');
  }
  if (!dryRun && !token) {
    throw new Error('--token or ANALYTICS_TOKEN is required');
  }
  return { files, url, token, project: project ?? '', dryRun };
}

function progressOf({ rows, events, persons }: ImportReport): string {
  return `${rows} rows, ${events} events, ${persons} persons`;
}

function describe(
  file: string,
  report: ImportReport,
  { dryRun }: { dryRun: boolean },
): string {
  const { rows, events, repeated, persons, resumed, skipped, notes } = report;
  const lines = [
    `${file}: ${rows} rows`,
    ...(resumed > 0 ? [`  ${resumed} imported by an earlier run`] : []),
    dryRun
      ? `  ${events} events would be imported`
      : `  ${events} events imported, of which the project had ${repeated} already`,
    `  ${persons} ids of persons ${dryRun ? 'would be ' : ''}imported`,
    ...[...skipped].map(
      ([reason, of]) =>
        `  ${of.rows} not imported: ${reason} (first in line ${of.line})`,
    ),
    ...[...notes].map(([what, count]) => `  ${count} without their ${what}`),
  ];
  return `${lines.join('\n')}\n`;
}
