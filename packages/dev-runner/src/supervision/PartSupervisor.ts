import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { GuardedProcess, type ProcessEnd } from '../guard/GuardedProcess.ts';
import { formatDuration, LineSplitter, type PlatformLog } from '../output.ts';
import type { PartDefinition } from '../parts.ts';
import type { RunRecords } from './RunRecords.ts';

/** How long a part waits before it is started again. */
export interface BackoffOptions {
  /** Wait after the first crash, in milliseconds. */
  firstMs: number;
  /** The wait never grows beyond this, in milliseconds. */
  maxMs: number;
  /** A run of at least this many milliseconds is forgiven the crashes before it. */
  stableMs: number;
}

/** Doubles the wait with every crash, until the part runs long enough again. */
export class Backoff {
  readonly #options: BackoffOptions;
  #crashes = 0;

  constructor(options: BackoffOptions) {
    this.#options = options;
  }

  /**
   * The wait in milliseconds after a crash.
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
/** A dev server holds its first answer back until the bundle is built. */
const ANSWER_TIMEOUT_MS = 60_000;

/** Resolves to true once the URL answers 2xx, to false when the wait is aborted. */
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

async function answersOk(url: string, signal: AbortSignal): Promise<boolean> {
  try {
    const response = await fetch(url, {
      signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_TIMEOUT_MS)]),
    });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}

/** How long a part may take before the runner says that it waits. */
const OVERDUE_MS = 60_000;

/** Tells the processes of one start of one part from all others. */
const MARKER = 'SLIPWAY_PART_START';

interface PartSupervisorOptions {
  part: PartDefinition;
  /** The part's `cwd` is relative to it. */
  root: string;
  env: NodeJS.ProcessEnv;
  log: PlatformLog;
  records: RunRecords;
  backoff: BackoffOptions;
  /** Milliseconds between SIGTERM and SIGKILL. */
  graceMs: number;
  /** Called each time the part has become ready. */
  onReady: () => void;
  /** Called each time it has ended by itself, with whether that is what it is for. */
  onEnd: (end: { succeeded: boolean }) => void;
}

/** Keeps one part running until it is told to stop. */
export class PartSupervisor {
  readonly #options: PartSupervisorOptions;
  readonly #backoff: Backoff;
  #process: GuardedProcess | undefined;
  #startedAt = 0;
  #restartTimer: NodeJS.Timeout | undefined;
  #readiness = new AbortController();
  #restartAsked = false;
  #stopped = false;
  #onceEnded: (() => void) | undefined;

  constructor(options: PartSupervisorOptions) {
    this.#options = options;
    this.#backoff = new Backoff(options.backoff);
  }

  /** Starts the part; from now on it is started again whenever it ends or fails. */
  start(): void {
    const { part, log, records, graceMs, root, env } = this.#options;
    const lines = new LineSplitter(line => log.part(part, line));
    const marker = randomUUID();
    this.#startedAt = Date.now();
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

  /** Stops the part and starts it again at once, as after a change of its sources. */
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

  /** Ends the part for good; resolves when none of its processes is left. */
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

  /** Does not wait for a stop that was asked for any longer. */
  kill(): void {
    this.#process?.kill();
  }

  async #announceReadiness(): Promise<void> {
    const readiness = new AbortController();
    this.#readiness = readiness;
    const { part, log, onReady } = this.#options;
    // A back end whose start fails may stay up, and would be waited for in silence.
    const overdue = setTimeout(
      () => log.warn(`${part.name} is not ready yet, its log may say why`),
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
      this.#restartTimer = setTimeout(() => this.start(), wait);
    }
    onEnd({ succeeded });
  }
}

function describeEnd(end: ProcessEnd): string {
  return end.error ?? end.signal ?? `exit code ${end.code}`;
}
