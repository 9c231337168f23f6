import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type Demo, DemoClient, DemoError } from './DemoClient.ts';

const USAGE = `Usage: ./slipway demo [--remove] [--url <address>]

Loads the demo organisation into a running platform: six months of data from an
invented company, in every part. --remove removes all of it again.

  --url <address>   address of the portal's back end (default: from the configuration)
  SLIPWAY_TOKEN     environment variable with the session token of an admin; not needed
                    for a development platform
`;

const POLL_MS = 500;

/** Output of the command, and the default address of the portal. */
interface DemoOptions {
  args: string[];
  /** Address of the portal's backend. */
  api: string;
  token?: string;
  say: (text: string) => void;
  pollMs?: number;
}

/**
 * Loads or removes the demo organisation and reports the progress.
 *
 * @returns the exit code.
 */
export async function runDemo(options: DemoOptions): Promise<number> {
  const { say } = options;
  const given = readArguments(options.args);
  if (!given) {
    say(USAGE);
    return 2;
  }
  const client = new DemoClient({
    api: (given.url ?? options.api).replace(/(?<!\/)\/+$/, ''),
    token: options.token,
  });
  try {
    const before = await client.read();
    if (given.remove) {
      if (before.phase === 'absent') {
        say('The demo organisation is not loaded; looking for leftovers.');
      }
      await client.remove();
    } else {
      if (before.refusal) {
        throw new DemoError(before.refusal);
      }
      say('Loading the demo organisation. It writes:');
      before.writes.forEach(({ title, writes }) =>
        say(`  ${title.padEnd(14)} ${writes}`),
      );
      await client.load();
    }
    return await follow(client, options);
  } catch (error) {
    if (error instanceof DemoError) {
      say(`slipway: ${error.message}`);
      return 1;
    }
    throw error;
  }
}

function readArguments(args: string[]) {
  try {
    return parseArgs({
      args,
      options: { remove: { type: 'boolean' }, url: { type: 'string' } },
    }).values;
  } catch {
    return undefined;
  }
}

async function follow(
  client: DemoClient,
  { say, pollMs = POLL_MS }: DemoOptions,
): Promise<number> {
  const told = new Set<string>();
  const titles = new Set<string>();
  const startedAt = Date.now();
  const tell = (title: string, mark: string) => {
    if (!told.has(title)) {
      told.add(title);
      say(`  ${mark} ${title}`);
    }
  };
  for (;;) {
    const demo = await client.read();
    for (const { title, status } of demo.steps) {
      titles.add(title);
      if (status === 'done' || status === 'failed') {
        tell(title, status === 'done' ? '✓' : '✗');
      }
    }
    const end = endOf(demo);
    if (end) {
      if (end.exitCode === 0) {
        // A demo that is removed has no steps anymore.
        titles.forEach(title => tell(title, '✓'));
      }
      const seconds = Math.round((Date.now() - startedAt) / 1_000);
      say(`${end.text} (${seconds} s)`);
      return end.exitCode;
    }
    await sleep(pollMs);
  }
}

function endOf({ phase, error }: Demo) {
  switch (phase) {
    case 'loaded':
      return {
        exitCode: 0,
        text: 'The demo organisation is loaded. ./slipway demo --remove removes it',
      };
    case 'absent':
      return { exitCode: 0, text: 'The demo organisation is removed' };
    case 'failed':
      return { exitCode: 1, text: `slipway: ${error ?? 'it failed'}` };
    default:
      return undefined;
  }
}
