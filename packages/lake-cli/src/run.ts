import { createInterface } from 'node:readline';
import {
  type Arguments,
  HELP,
  readArguments,
  UsageError,
} from './arguments.ts';
import { LakeClient, LakeRequestError } from './LakeClient.ts';
import { writeExample } from './example/writeExample.ts';
import { importFile } from './importing/importFile.ts';
import { followJob, type JobKind } from './followJob.ts';
import { previewDeletion } from './previewDeletion.ts';
import {
  createProgress,
  type Progress,
  type ProgressStream,
} from './Progress.ts';

const EXIT = { done: 0, failed: 1, usage: 2, rejected: 3 } as const;

/** The environment and streams of a run. */
export interface RunContext {
  environment: NodeJS.ProcessEnv;
  stdin: NodeJS.ReadableStream;
  stdout: NodeJS.WritableStream;
  stderr: ProgressStream;
}

function required(value: string | undefined, complaint: string): string {
  if (!value) {
    throw new UsageError(complaint);
  }
  return value;
}

function createClient({ url, token }: Arguments, progress: Progress) {
  return new LakeClient({
    url,
    token: required(
      token,
      `${url} needs a service token: give --token or SLIPWAY_TOKEN`,
    ),
    onRetry: text => progress.say(text),
  });
}

async function runImport(
  args: Arguments,
  { stdout, stderr }: RunContext,
): Promise<number> {
  const file = required(args.file, 'Name the file to import');
  const progress = createProgress(stderr);
  try {
    const client = createClient(args, progress);
    const summary = await importFile({ ...args, file, client, progress });
    progress.stop();
    const { accepted, duplicates, stale, rejected } = summary.counts;
    stdout.write(
      `${accepted} accepted, ${duplicates} duplicates, ${stale} outdated, ${rejected} rejected\n`,
    );
    if (summary.rejectedFile) {
      stdout.write(
        `${summary.rejectedFile} says which lines were rejected, and why\n`,
      );
      return EXIT.rejected;
    }
    return EXIT.done;
  } finally {
    progress.stop();
  }
}

async function runJob(
  kind: JobKind,
  args: Arguments,
  { stdout, stderr, body }: RunContext & { body?: object },
): Promise<number> {
  const progress = createProgress(stderr);
  try {
    const client = createClient(args, progress);
    const done = await followJob({ kind, body, client, progress });
    progress.stop();
    stdout.write(`The ${kind} is done: ${done}\n`);
    return EXIT.done;
  } finally {
    progress.stop();
  }
}

async function runDeletion(
  args: Arguments,
  context: RunContext,
): Promise<number> {
  const { names } = args;
  required(names[0], 'Name the person: full names, email addresses and logins');
  if (!args.yes && !(await isConfirmed(args, context))) {
    context.stdout.write('Nothing was deleted; --yes deletes without asking\n');
    return EXIT.failed;
  }
  return runJob('deletion', args, { ...context, body: { names } });
}

/** Shows what a deletion would empty, and asks for confirmation; returns whether it was given. */
async function isConfirmed(
  args: Arguments,
  { stdin, stdout, stderr }: RunContext,
): Promise<boolean> {
  const progress = createProgress(stderr);
  const client = createClient(args, progress);
  const preview = await previewDeletion({ ...args, client, progress }).finally(
    () => progress.stop(),
  );
  stdout.write(preview);
  stderr.write('Delete the names? [y/N] ');
  return /^y(?:es)?$/i.test((await readLine(stdin)).trim());
}

/** Reads a line; returns an empty one if the input has ended. */
async function readLine(stdin: NodeJS.ReadableStream): Promise<string> {
  const lines = createInterface({ input: stdin });
  try {
    return await new Promise<string>(resolve => {
      lines.once('line', resolve);
      lines.once('close', () => resolve(''));
    });
  } finally {
    lines.close();
  }
}

async function runExample(
  args: Arguments,
  { stdout }: RunContext,
): Promise<number> {
  const file = required(args.file, 'Name the file to write');
  const { items, services } = await writeExample({ file, seed: args.seed });
  stdout.write(
    `${file} holds ${items} items of demo data (source demo) for ${services.join(
      ', ',
    )}\nSend it with: yarn lake import ${file}\n`,
  );
  return EXIT.done;
}

function dispatch(args: Arguments, context: RunContext): Promise<number> {
  switch (args.command) {
    case 'import':
      return runImport(args, context);
    case 'replay':
    case 'rebuild':
      return runJob(args.command, args, context);
    case 'forget':
      return runDeletion(args, context);
    case 'example':
      return runExample(args, context);
    default:
      throw new UsageError(
        args.command
          ? `${args.command} is not a command`
          : 'Name a command: import, replay, rebuild, forget or example',
      );
  }
}

/**
 * Runs the command given by the arguments.
 *
 * @returns the exit code.
 */
export async function run(
  argv: string[],
  context: RunContext,
): Promise<number> {
  try {
    const args = readArguments(argv, context.environment);
    if (args.help) {
      context.stdout.write(HELP);
      return EXIT.done;
    }
    return await dispatch(args, context);
  } catch (error) {
    if (error instanceof UsageError) {
      context.stderr.write(`${error.message}\nyarn lake --help says more\n`);
      return EXIT.usage;
    }
    if (error instanceof LakeRequestError) {
      context.stderr.write(`${error.message}\n`);
      return EXIT.failed;
    }
    throw error;
  }
}
