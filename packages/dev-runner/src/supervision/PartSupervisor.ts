import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import { GuardedProcess, type ProcessEnd } from '../guard/GuardedProcess.ts';
import { formatDuration, LineSplitter, type PlatformLog } from '../output.ts';
import type { PartDefinition } from '../parts.ts';
import { areFree, findTakenPorts } from '../ports.ts';
import type { RunRecords } from './RunRecords.ts';

/** Delays before a part is restarted. */
export interface BackoffOptions {
  /** Delay after the first crash, in milliseconds. */
  firstMs: number;
  /** Maximum delay, in milliseconds. */
  maxMs: number;
  /** After a run of at least this many milliseconds, earlier crashes no longer count. */
  stableMs: number;
}

/** Doubles the delay with every crash, until the part runs long enough again. */
export class Backoff {
  readonly #options: BackoffOptions;
  #crashes = 0;

  constructor(options: BackoffOptions) {
    this.#options = options;
  }

  /**
   * Returns the delay in milliseconds after a crash.
   *
   * @param ranMs - how long the part had run
   */
  next(ranMs: number): number {
    const { firstMs, maxMs, stableMs } = this.#options;
    if (ranMs >= stableMs) {
      this.#crashes = 0;
    }
    const wait = Math.min(firstMs * 2 ** this.#crashes, maxMs);
    this.#crashes += 1;
    return wait;
  }
}

const POLL_MS = 250;
/** Long, because a dev server delays its first response until the bundle is built. */
const ANSWER_TIMEOUT_MS = 60_000;

/** Resolves to true once the URL responds with 2xx, or to false if the wait is aborted. */
export async function waitUntilReady(
  url: string,
  signal: AbortSignal,
): Promise<boolean> {
  while (!signal.aborted) {
    if (await answersOk(url, signal)) {
      return true;
    }
    await sleep(POLL_MS, undefined, { signal }).catch(() => {});
  }
  return false;
}

/** Checks whether the URL responds with 2xx. Never rejects. */
async function answersOk(url: string, signal: AbortSignal): Promise<boolean> {
  try {
    const response = await fetch(url, {
      signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_TIMEOUT_MS)]),
    });
    // The body is read, not cancelled: the signal limits reading, but cancelling may take
    // forever.
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}

/** Time after which the runner reports that it is waiting for a part. */
const OVERDUE_MS = 60_000;

/** Time between two checks whether the ports of a part are free again. */
const PORT_CHECK_MS = 500;

/** Name of the variable that marks the processes of one start of a part. */
const MARKER = 'SLIPWAY_PART_START';

interface PartSupervisorOptions {
  part: PartDefinition;
  /** Base directory of the part's `cwd`. */
  root: string;
  env: NodeJS.ProcessEnv;
  log: PlatformLog;
  records: RunRecords;
  backoff: BackoffOptions;
  /** Milliseconds between SIGTERM and SIGKILL. */
  graceMs: number;
  /** Called each time the part becomes ready. */
  onReady: () => void;
  /**
   * Called each time the part ends other than by a stop or a requested restart. `succeeded` is true for
   * a part without `readyUrl` that exits with 0; `lastLine` is its last line of output that is not
   * blank, without colours.
   */
  onEnd: (end: { succeeded: boolean; lastLine: string }) => void;
}

/**
 * Runs a part until it is stopped: restarts it, with increasing delays, when it ends or fails to
 * start. A part without `readyUrl` is not restarted once it has succeeded.
 */
export class PartSupervisor {
  readonly #options: PartSupervisorOptions;
  readonly #backoff: Backoff;
  #process: GuardedProcess | undefined;
  #startedAt = 0;
  #lastLine = '';
  #restartTimer: NodeJS.Timeout | undefined;
  #readiness = new AbortController();
  #restartAsked = false;
  #stopped = false;
  #onceEnded: (() => void) | undefined;

  constructor(options: PartSupervisorOptions) {
    this.#options = options;
    this.#backoff = new Backoff(options.backoff);
  }

  /** Starts the part, and from then on restarts it when it ends. */
  start(): void {
    const { part, log, records, graceMs, root, env } = this.#options;
    const lines = new LineSplitter(line => {
      log.part(part, line);
      this.#lastLine = stripVTControlCharacters(line).trim() || this.#lastLine;
    });
    const marker = randomUUID();
    this.#startedAt = Date.now();
    this.#lastLine = '';
    this.#process = new GuardedProcess({
      command: part.command,
      cwd: path.resolve(root, part.cwd),
      env: { ...env, ...part.env, [MARKER]: marker },
      graceMs,
      onOutput: chunk => lines.write(chunk),
      onSpawn: pid => records.recordPart(part.name, pid, `${MARKER}=${marker}`),
      onEnd: end => {
        lines.flush();
        this.#ended(end);
      },
    });
    void this.#announceReadiness();
  }

  /** Stops the part and immediately starts it again, e.g. after its sources changed. */
  restart(): void {
    if (this.#stopped) {
      return;
    }
    if (this.#process) {
      this.#restartAsked = true;
      this.#process.stop();
    } else {
      clearTimeout(this.#restartTimer);
      this.start();
    }
  }

  /** Stops the part permanently; resolves when none of its processes is left. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#readiness.abort();
    clearTimeout(this.#restartTimer);
    if (this.#process) {
      const ended = new Promise<void>(resolve => {
        this.#onceEnded = resolve;
      });
      this.#process.stop();
      await ended;
    }
  }

  /** Kills the part instead of waiting any longer for it to stop. */
  kill(): void {
    this.#process?.kill();
  }

  async #announceReadiness(): Promise<void> {
    const readiness = new AbortController();
    this.#readiness = readiness;
    const { part, log, onReady } = this.#options;
    // A backend that fails to start may keep running, and the runner would wait silently.
    const overdue = setTimeout(
      () =>
        log.say(
          `${part.name} is still starting; if it takes much longer, its log may say why`,
        ),
      OVERDUE_MS,
    );
    readiness.signal.addEventListener('abort', () => clearTimeout(overdue));
    const { readyUrl } = part;
    if (readyUrl && (await waitUntilReady(readyUrl, readiness.signal))) {
      clearTimeout(overdue);
      onReady();
    }
  }

  #ended(end: ProcessEnd): void {
    const { part, log, records, onReady, onEnd } = this.#options;
    this.#process = undefined;
    this.#readiness.abort();
    records.forgetPart(part.name);
    if (this.#stopped) {
      this.#onceEnded?.();
      return;
    }
    if (this.#restartAsked) {
      this.#restartAsked = false;
      this.start();
      return;
    }
    const succeeded = !part.readyUrl && end.code === 0;
    if (succeeded) {
      onReady();
    } else {
      const wait = this.#backoff.next(Date.now() - this.#startedAt);
      log.warn(
        `${part.name} has ended (${describeEnd(
          end,
        )}), starts again in ${formatDuration(wait)}`,
      );
      this.#restartTimer = setTimeout(() => void this.#startAgain(), wait);
    }
    onEnd({ succeeded, lastLine: this.#lastLine });
  }

  /**
   * Starts the part again once no other process has one of its ports. Started earlier, it would load
   * everything, fail to listen, and end.
   */
  async #startAgain(): Promise<void> {
    const { part, log } = this.#options;
    // A change to its sources may restart the part in the meantime.
    const isDown = () => !this.#stopped && !this.#process;
    const taken = await findTakenPorts([part]);
    taken.forEach(message => log.warn(message));
    while (isDown() && !(await areFree(part.ports))) {
      await sleep(PORT_CHECK_MS);
    }
    if (isDown()) {
      this.start();
    }
  }
}

function describeEnd(end: ProcessEnd): string {
  return end.error ?? end.signal ?? `exit code ${end.code}`;
}
