import { parseArgs } from 'node:util';

/** Thrown for an invalid command line. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/** The kinds of records in the lake, as named by `--kind`. */
export const KINDS = ['deployment', 'change', 'incident'] as const;
export type Kind = (typeof KINDS)[number];

const DEFAULT_URL = 'http://localhost:7007';
/** The token of development platforms; rejected in production. */
const DEVELOPMENT_TOKEN = 'dev-service-token';
const LOCAL_HOSTS = ['localhost', '127.0.0.1', '[::1]'];

/** The parsed command line. */
export interface Arguments {
  command: string | undefined;
  file: string | undefined;
  /** The names of the person to delete. */
  names: readonly string[];
  help: boolean;
  /** True to delete without asking for confirmation. */
  yes: boolean;
  kind: Kind;
  seed: string;
  /** URL of the backend, without a trailing slash. */
  url: string;
  token: string | undefined;
}

const OPTIONS = {
  help: { type: 'boolean', short: 'h', default: false },
  kind: { type: 'string', default: 'deployment' },
  seed: { type: 'string', default: 'slipway' },
  url: { type: 'string', default: DEFAULT_URL },
  token: { type: 'string' },
  yes: { type: 'boolean', default: false },
} as const;

function parse(args: string[]) {
  try {
    return parseArgs({ args, options: OPTIONS, allowPositionals: true });
  } catch (error) {
    throw new UsageError(
      error instanceof Error ? error.message : 'The arguments are unreadable',
    );
  }
}

function readUrl(given: string): URL {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new UsageError(`--url ${given} is not an http(s) address`);
  }
  return url;
}

/**
 * Parses the command line.
 *
 * @throws UsageError describing the problem.
 */
export function readArguments(
  args: string[],
  environment: NodeJS.ProcessEnv,
): Arguments {
  const { values, positionals } = parse(args);
  const [command, ...names] = positionals;
  const [file, ...more] = names;
  if (more.length > 0 && command !== 'forget') {
    throw new UsageError(`${more[0]} is an unexpected argument`);
  }
  const kind = KINDS.find(known => known === values.kind);
  if (!kind) {
    throw new UsageError(
      `--kind ${values.kind} is not one of ${KINDS.join(', ')}`,
    );
  }
  const url = readUrl(values.url);
  return {
    command,
    file,
    names,
    help: values.help,
    yes: values.yes,
    kind,
    seed: values.seed,
    url: url.href.replace(/(?<!\/)\/+$/, ''),
    token:
      values.token ??
      (environment.SLIPWAY_TOKEN ||
        (LOCAL_HOSTS.includes(url.hostname) ? DEVELOPMENT_TOKEN : undefined)),
  };
}

/** The output of `--help`. */
export const HELP = `Imports files into the delivery lake and runs its long-running jobs.

  yarn lake import <file.ndjson|file.csv>   send the records of a file
  yarn lake replay                          recreate all records from what was received
  yarn lake rebuild                         recalculate the metrics from the records
  yarn lake forget <name> …                 ask, then delete the names of a person
  yarn lake example <file.ndjson>           write demo data to import

Options
  --url <address>    address of the portal's back end (http://localhost:7007)
  --token <token>    service token; default: SLIPWAY_TOKEN, or the development
                     token for a portal on this machine
  --kind <kind>      kind of items without one: deployment, change or incident
                     (deployment)
  --seed <text>      seed of the example: a different text gives different data
  --yes              forget without showing and asking, for programs
  -h, --help         show this help

A file contains one JSON object per line (.ndjson, .jsonl), or one row per
record below a header with the field names (.csv); nested fields have dots:
commit.sha. Running an interrupted import again resumes it.
Exit codes: 0 all accepted, 1 failed, 2 wrong arguments, 3 some items rejected.
`;
