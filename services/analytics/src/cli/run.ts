import path from 'node:path';
import { parseArgs } from 'node:util';
import { restoreBackup } from '../backup/restoreBackup.ts';
import { backUp } from './backup.ts';
import { ImportClient } from './ImportClient.ts';
import { importFile, type ImportReport } from './importFile.ts';

const USAGE = `yarn analytics import FILE... --project <id> [--dry-run]
yarn analytics backup
yarn analytics restore BACKUP --directory <new directory> [--database <new file>]

import: imports events and persons that PostHog or this service exported: one JSON object per
line, or pages of PostHog's API, optionally compressed with gzip. After an interruption, run
it again to continue: no event is stored twice. Exits with 1 if rows could not be imported.
backup: makes a backup in analytics.events.backups.directory while the service runs.
restore: creates a directory for analytics.events.directory, and the SQLite database, from
a backup.

  --url      address of the analytics service (ANALYTICS_URL; default http://localhost:8100)
  --token    an API token with the scope import, or one of
             analytics.events.backups.tokens (ANALYTICS_TOKEN)
  --project  the project that receives the events
  --dry-run  checks the files and sends nothing

Exits with 2 if the command failed.
`;

/** The environment and streams of the command. */
interface Surroundings {
  environment: NodeJS.ProcessEnv;
  stdout: { write(text: string): unknown };
  stderr: { write(text: string): unknown };
}

/** Thrown for an invalid command; its message is printed before the usage. */
class UsageError extends Error {}

/** Runs `yarn analytics`. @returns the exit code. */
export async function run(
  args: readonly string[],
  surroundings: Surroundings,
): Promise<number> {
  try {
    return await execute(args, surroundings);
  } catch (error) {
    const usage = error instanceof UsageError ? `\n${USAGE}` : '';
    surroundings.stderr.write(`${(error as Error).message}\n${usage}`);
    return 2;
  }
}

async function execute(
  args: readonly string[],
  surroundings: Surroundings,
): Promise<number> {
  const { stdout } = surroundings;
  const { positionals, values } = readArguments(args, surroundings);
  if (values.help) {
    stdout.write(USAGE);
    return 0;
  }
  const [command, ...files] = positionals;
  switch (command) {
    case 'import':
      return importFiles(files, { ...values, ...surroundings });
    case 'backup': {
      const { name, bytes } = await backUp({
        url: values.url,
        token: required(values.token, '--token or ANALYTICS_TOKEN'),
      });
      stdout.write(`${name}, ${bytes} bytes\n`);
      return 0;
    }
    case 'restore': {
      const directory = path.resolve(required(values.directory, '--directory'));
      await restoreBackup(required(files[0], 'The directory of a backup'), {
        directory,
        database: values.database && path.resolve(values.database),
      });
      stdout.write(
        `Restored. Set analytics.events.directory to ${directory} and start the service.\n`,
      );
      return 0;
    }
    default:
      throw new UsageError(
        command ? `Unknown command: ${command}` : 'A command is required',
      );
  }
}

async function importFiles(
  files: readonly string[],
  options: Surroundings & {
    url: string;
    token: string;
    project?: string;
    'dry-run': boolean;
  },
): Promise<number> {
  const { url, stdout, stderr, 'dry-run': dryRun } = options;
  required(files[0], 'The name of a file');
  const project = dryRun ? '' : required(options.project, '--project');
  const client = dryRun
    ? undefined
    : new ImportClient({
        url,
        project,
        token: required(options.token, '--token or ANALYTICS_TOKEN'),
      });
  let isComplete = true;
  for (const file of files) {
    const report = await importFile(file, {
      client,
      target: `${url} ${project}`,
      onProgress: now => stderr.write(`\r${file}: ${progressOf(now)}`),
    });
    stderr.write('\n');
    stdout.write(describe(file, report, { dryRun }));
    isComplete &&= report.skipped.size === 0;
  }
  return isComplete ? 0 : 1;
}

function required(value: string | undefined, what: string): string {
  if (!value) {
    throw new UsageError(`${what} is required`);
  }
  return value;
}

function readArguments(
  args: readonly string[],
  { environment }: Pick<Surroundings, 'environment'>,
) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        url: {
          type: 'string',
          default: environment.ANALYTICS_URL ?? 'http://localhost:8100',
        },
        token: { type: 'string', default: environment.ANALYTICS_TOKEN ?? '' },
        project: { type: 'string' },
        directory: { type: 'string' },
        database: { type: 'string' },
        'dry-run': { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
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
