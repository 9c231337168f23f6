import {
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import {
  endGroup,
  identifyProcess,
  isRunning,
  type ProcessIdentity,
  processIds,
  readEnvironment,
  readProcess,
} from '@slipway/processes';

const RUNNER_FILE = 'runner.json';
const PARTS_DIRECTORY = 'parts';

/** A part's process, as an earlier run of the platform left it on record. */
interface PartRecord {
  part: string;
  /** The part's main process, whose id is also that of the part's group. */
  process: ProcessIdentity;
  /** `NAME=value` in the environment of every process of the part. */
  marker: string;
}

/**
 * What runs, on disk under `.data/run/`, so that the next start can end what a
 * killed runner and its killed guards left behind.
 */
export class RunRecords {
  readonly #directory: string;
  readonly #partsDirectory: string;

  /** @param stateDirectory - absolute path of `.data` */
  constructor(stateDirectory: string) {
    this.#directory = path.join(stateDirectory, 'run');
    this.#partsDirectory = path.join(this.#directory, PARTS_DIRECTORY);
  }

  /** The runner that is alive, if there is one. */
  runningRunner(): ProcessIdentity | undefined {
    const runner = readJson(path.join(this.#directory, RUNNER_FILE));
    return isIdentity(runner) && isRunning(runner) ? runner : undefined;
  }

  /** Puts this process on record as the runner. */
  recordRunner(): void {
    mkdirSync(this.#partsDirectory, { recursive: true });
    writeJson(
      path.join(this.#directory, RUNNER_FILE),
      identifyProcess(process.pid),
    );
  }

  /** Puts a part's process on record; nothing happens when it has ended already. */
  recordPart(part: string, pid: number, marker: string): void {
    const identity = identifyProcess(pid);
    if (identity) {
      const record: PartRecord = { part, process: identity, marker };
      writeJson(this.#partFile(part), record);
    }
  }

  /** Takes a part off the record. */
  forgetPart(part: string): void {
    rmSync(this.#partFile(part), { force: true });
  }

  /** Takes the runner off the record. */
  forgetRunner(): void {
    rmSync(path.join(this.#directory, RUNNER_FILE), { force: true });
  }

  /** The recorded parts, whether or not they still run. */
  recordedParts(): PartRecord[] {
    let files: string[];
    try {
      files = readdirSync(this.#partsDirectory);
    } catch {
      return [];
    }
    return files
      .map(file => readJson(path.join(this.#partsDirectory, file)))
      .filter(isPartRecord);
  }

  #partFile(part: string): string {
    return path.join(this.#partsDirectory, `${part}.json`);
  }
}

function writeJson(file: string, value: unknown): void {
  writeFileSync(file, `${JSON.stringify(value)}\n`);
}

/** A record that a crash cut short counts as none. */
function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

function isIdentity(value: unknown): value is ProcessIdentity {
  return (
    typeof value === 'object' &&
    value !== null &&
    'pid' in value &&
    Number.isInteger(value.pid) &&
    'startedAt' in value &&
    typeof value.startedAt === 'string'
  );
}

function isPartRecord(value: unknown): value is PartRecord {
  return (
    typeof value === 'object' &&
    value !== null &&
    'part' in value &&
    typeof value.part === 'string' &&
    'marker' in value &&
    typeof value.marker === 'string' &&
    'process' in value &&
    isIdentity(value.process)
  );
}

/**
 * Tells whether a process of the group was started with that very environment
 * variable, which it has from whoever started the group. Known on Linux only;
 * elsewhere the answer is no.
 *
 * @param variable - name and value, as in `NAME=value`
 */
function groupCarries(groupId: number, variable: string): boolean {
  return processIds()
    .filter(pid => readProcess(pid)?.group === groupId)
    .some(pid => readEnvironment(pid).split('\0').includes(variable));
}

/**
 * Ends the parts that an earlier run left behind and returns their names. A
 * recorded process id that belongs to another process by now is left alone.
 */
export async function endStaleParts(
  records: RunRecords,
  options: { graceMs: number },
): Promise<string[]> {
  const recorded = records.recordedParts();
  const stale = recorded.filter(leftProcesses);
  await Promise.all(stale.map(record => endGroup(record.process.pid, options)));
  recorded.forEach(({ part }) => records.forgetPart(part));
  return stale.map(({ part }) => part);
}

/** Its main process, or children of one that has ended. */
function leftProcesses({ process, marker }: PartRecord): boolean {
  return isRunning(process) || groupCarries(process.pid, marker);
}
