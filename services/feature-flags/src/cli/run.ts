import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { parse, stringify } from 'yaml';
import {
  limitReferences,
  MAX_PER_FLAG,
  readCheckout,
  scanCode,
} from './scanCode.ts';
import { describeReport, type Report } from './describeReport.ts';

const USAGE = `yarn flags export [--project <id>] [--file <flags.yaml>]
yarn flags diff --file <flags.yaml>
yarn flags apply --file <flags.yaml>
yarn flags references [<folder>] [--repository <address>]

  --url         address of the feature-flag service (FLAGS_URL; default http://localhost:4242)
  --token       an admin token (FLAGS_TOKEN)
  --file        the file with definitions; - is standard input or output
  --repository  address of the repository's web page (default: that of the remote origin)

references scans the tracked files of a checkout for names of flags in quotes, and sends the
lines that contain them.

diff exits with 1 if anything differs. All commands exit with 2 if they fail.
`;

const TIMEOUT_MS = 60_000;
const SCHEMA = '# yaml-language-server: $schema=';

/** The environment variables that the command reads, and the streams that it writes to. */
interface Surroundings {
  environment: NodeJS.ProcessEnv;
  stdout: { write(text: string): unknown };
  stderr: { write(text: string): unknown };
}

/** A command that cannot be run; its message is meant for the user. */
class CommandError extends Error {}

/** Runs `yarn flags`. @returns the exit code. */
export async function run(
  args: readonly string[],
  surroundings: Surroundings,
): Promise<number> {
  const { stdout, stderr } = surroundings;
  try {
    return await execute(args, surroundings);
  } catch (error) {
    if (error instanceof CommandError) {
      stderr.write(`${error.message}\n`);
    } else {
      stderr.write(`${error instanceof Error ? error.message : error}\n`);
      stdout.write(USAGE);
    }
    return 2;
  }
}

async function execute(
  args: readonly string[],
  { environment, stdout }: Surroundings,
): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      url: {
        type: 'string',
        default: environment.FLAGS_URL ?? 'http://localhost:4242',
      },
      token: { type: 'string', default: environment.FLAGS_TOKEN ?? '' },
      file: { type: 'string' },
      project: { type: 'string' },
      repository: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) {
    stdout.write(USAGE);
    return 0;
  }
  const { url, token, file, project } = values;
  const admin = (method: string, path: string, body?: unknown) =>
    callService(`${url}/api/admin${path}`, { method, token, body });
  const call = (method: string, path: string, body?: unknown) =>
    admin(method, `/definitions${path}`, body);
  const [command, folder = '.'] = positionals;
  switch (command) {
    case 'export': {
      const query = project ? `?project=${encodeURIComponent(project)}` : '';
      const text = stringify(await call('GET', query), { lineWidth: 100 });
      const schema = `${SCHEMA}${url}/api/admin/definitions/schema\n`;
      if (file === undefined || file === '-') {
        stdout.write(schema + text);
      } else {
        await writeFile(file, schema + text);
      }
      return 0;
    }
    case 'diff': {
      const report = await call('POST', '/diff', await readFlags(file));
      stdout.write(describeReport(report as Report));
      return isSame(report as Report) ? 0 : 1;
    }
    case 'apply': {
      const report = await call('POST', '/apply', await readFlags(file));
      stdout.write(describeReport(report as Report));
      return 0;
    }
    case 'references': {
      const { repository } = values;
      stdout.write(await sendReferences(admin, { folder, repository }));
      return 0;
    }
    default:
      throw new Error(
        command ? `Unknown command: ${command}` : 'A command is required',
      );
  }
}

/** Scans a checkout and sends the references that it finds. @returns a summary for the user. */
async function sendReferences(
  admin: (method: string, path: string, body?: unknown) => Promise<unknown>,
  options: { folder: string; repository: string | undefined },
): Promise<string> {
  const checkout = await readCheckout(options.folder);
  const repository = options.repository ?? checkout.repository;
  if (repository === undefined) {
    throw new CommandError(
      'The remote origin is not a web address: name one with --repository',
    );
  }
  const { features } = (await admin('GET', '/search/features')) as {
    features: { name: string }[];
  };
  const names = new Set(features.map(({ name }) => name));
  const found = await scanCode(options.folder, names);
  const { kept, exceeding } = limitReferences(found);
  const { commit } = checkout;
  await admin('PUT', '/code-references', {
    ...{ repository, commit },
    references: kept,
  });
  const flags = new Set(found.map(({ flag }) => flag)).size;
  return [
    `${found.length} lines name ${flags} of ${names.size} flags in ${repository} at ${commit}`,
    ...[...exceeding].map(
      ([flag, total]) =>
        `Only the first ${MAX_PER_FLAG} of ${total} lines that name ${flag} were sent`,
    ),
    '',
  ].join('\n');
}

async function readFlags(file: string | undefined): Promise<unknown> {
  if (file === undefined) {
    throw new Error('--file is required');
  }
  try {
    return parse(await readFile(file === '-' ? '/dev/stdin' : file, 'utf8'));
  } catch (error) {
    throw new CommandError(`${file}: ${(error as Error).message}`);
  }
}

async function callService(
  url: string,
  options: { method: string; token: string; body: unknown },
): Promise<unknown> {
  const { method, token, body } = options;
  let response: Response;
  try {
    response = await fetch(url, {
      method,
      headers: { authorization: token, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
  } catch (error) {
    throw new CommandError(`${url} is not responding`, { cause: error });
  }
  const text = await response.text();
  if (!response.ok) {
    throw new CommandError(
      messageOf(text) ?? `${url} answered ${response.status}`,
    );
  }
  return JSON.parse(text);
}

function messageOf(text: string): string | undefined {
  try {
    return (JSON.parse(text) as { message?: string }).message;
  } catch {
    return undefined;
  }
}

function isSame({ errors, changes, requested }: Report): boolean {
  const { segments, projects, created, updated } = changes;
  return [errors, segments, projects, created, updated, requested].every(
    each => each.length === 0,
  );
}
