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

/** A part's process as recorded by an earlier run of the platform. */
interface PartRecord {
  part: string;
  /** The part's main process, whose id is also that of the part's group. */
  process: ProcessIdentity;
  /** `NAME=value` in the environment of every process of the part. */
  marker: string;
}

/**
 * Records running processes on disk under `.data/run/`, so that the next start can end those that a
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

  /** Returns the runner that is alive, if there is one. */
  runningRunner(): ProcessIdentity | undefined {
    const runner = readJson(path.join(this.#directory, RUNNER_FILE));
    return isIdentity(runner) && isRunning(runner) ? runner : undefined;
  }

  /** Records this process as the runner. */
  recordRunner(): void {
    mkdirSync(this.#partsDirectory, { recursive: true });
    writeJson(
      path.join(this.#directory, RUNNER_FILE),
      identifyProcess(process.pid),
    );
  }

  /** Records a part's process; does nothing if it has already ended. */
  recordPart(part: string, pid: number, marker: string): void {
    const identity = identifyProcess(pid);
    if (identity) {
      const record: PartRecord = { part, process: identity, marker };
      writeJson(this.#partFile(part), record);
    }
  }

  /** Deletes the record of a part. */
  forgetPart(part: string): void {
    rmSync(this.#partFile(part), { force: true });
  }

  /** Deletes the record of the runner. */
  forgetRunner(): void {
    rmSync(path.join(this.#directory, RUNNER_FILE), { force: true });
  }

  /** Returns the recorded parts, whether or not they are still running. */
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

/** Reads a record; one truncated by a crash counts as missing. */
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
 * Checks whether any process of the group was started with this environment variable, which it
 * inherits from the process that started the group. Works on Linux only; elsewhere returns false.
 *
 * @param variable - name and value, as in `NAME=value`
 */
function groupCarries(groupId: number, variable: string): boolean {
  return processIds()
    .filter(pid => readProcess(pid)?.group === groupId)
    .some(pid => readEnvironment(pid).split('\0').includes(variable));
}

/**
 * Ends the parts that an earlier run left behind and returns their names. Ignores a recorded
 * process id that now belongs to another process.
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

/** Checks whether a part's main process, or a child that outlived it, is still running. */
function leftProcesses({ process, marker }: PartRecord): boolean {
  return isRunning(process) || groupCarries(process.pid, marker);
}
