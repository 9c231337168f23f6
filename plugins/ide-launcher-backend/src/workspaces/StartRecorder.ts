import { LoggerService } from '@backstage/backend-plugin-api';
import { stringifyError } from '@backstage/errors';
import {
  StartStep,
  WorkspaceLogLine,
} from '@slipway/plugin-ide-launcher-common';
import { StartReporter } from '../runtimes/WorkspaceRuntime';
import { isRefused } from './storage/untilStored';
import { WorkspaceStore } from './storage/WorkspaceStore';
import { NewLogLine, Workspace, WorkspaceChange } from './Workspace';
import { WorkspaceEvents } from './WorkspaceEvents';

/** Message of a step whose end was not reported. */
const INTERRUPTED = 'Interrupted before it finished';

/**
 * Returns the steps with all running ones marked as interrupted at `at`, for when their end will not be
 * reported.
 */
export function interruptSteps(steps: StartStep[], at: string): StartStep[] {
  return steps.map(step =>
    step.state === 'running'
      ? {
          ...step,
          state: 'warning',
          progress: null,
          message: INTERRUPTED,
          endedAt: at,
        }
      : step,
  );
}

/** Pages need at most a few updates per second; the database even fewer. */
const FLUSH_INTERVAL_MS = 200;
/** The pause before a failed batch is saved again. */
const RETRY_PAUSE_MS = 5_000;

/**
 * Maximum lines of programs per start, because people read logs; further lines are dropped, with a notice.
 * The portal's own lines are few and are always stored.
 */
const MAX_LOG_LINES = 5_000;
const MAX_LINE_LENGTH = 4_000;

/** Options of {@link StartRecorder}. */
interface StartRecorderOptions {
  /** Saves a batch; rejects if it failed. The batch then becomes part of the next one, seconds later. */
  save(batch: {
    change: WorkspaceChange | null;
    lines: NewLogLine[];
  }): Promise<void>;
  now?: () => Date;
}

/** Collects the reports of a runtime about one start and saves them in batches, in order. */
export class StartRecorder implements StartReporter {
  readonly #options: StartRecorderOptions;
  readonly #now: () => Date;
  #steps: StartStep[] = [];
  readonly #warnings: string[] = [];
  #lines: NewLogLine[] = [];
  #lineCount = 0;
  #changed = false;
  #closed = false;
  #abandoned = false;
  #timer: NodeJS.Timeout | undefined;
  #saving: Promise<void> = Promise.resolve();

  constructor(options: StartRecorderOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => new Date());
  }

  step(update: Parameters<StartReporter['step']>[0]): void {
    if (this.#closed) {
      return;
    }
    const at = this.#now().toISOString();
    let step = this.#steps.find(({ id }) => id === update.id);
    if (!step) {
      step = {
        id: update.id,
        title: update.title,
        state: 'pending',
        progress: null,
        message: null,
        startedAt: null,
        endedAt: null,
      };
      this.#steps.push(step);
    }
    const ended = update.state !== 'pending' && update.state !== 'running';
    Object.assign(step, {
      title: update.title,
      state: update.state,
      progress: update.progress ?? (ended ? null : step.progress),
      message: update.message === undefined ? step.message : update.message,
      startedAt: step.startedAt ?? (update.state === 'pending' ? null : at),
      endedAt: ended ? (step.endedAt ?? at) : null,
    });
    this.#changed = true;
    this.#schedule();
  }

  log(source: WorkspaceLogLine['source'], text: string): void {
    if (this.#closed) {
      return;
    }
    const at = this.#now().toISOString();
    // PostgreSQL cannot store NUL characters, and would reject the whole batch.
    for (const line of text.replaceAll('\0', '').split(/\r?\n/)) {
      const isOwn = source === 'slipway';
      this.#lineCount += isOwn ? 0 : 1;
      if (isOwn || this.#lineCount < MAX_LOG_LINES) {
        this.#lines.push({ at, source, text: line.slice(0, MAX_LINE_LENGTH) });
      } else if (this.#lineCount === MAX_LOG_LINES) {
        this.#lines.push({
          at,
          source: 'slipway',
          text: `The log is longer than ${MAX_LOG_LINES} lines; the rest is not stored`,
        });
      }
    }
    this.#schedule();
  }

  warn(message: string): void {
    if (!this.#closed && !this.#warnings.includes(message)) {
      this.#warnings.push(message);
      this.#changed = true;
      this.#schedule();
    }
  }

  /** Marks running steps as failed, with the cause. */
  fail(message: string): void {
    const running = this.#steps.filter(({ state }) => state === 'running');
    for (const { id, title } of running) {
      this.step({ id, title, state: 'failed', message });
    }
    this.log('slipway', message);
  }

  /**
   * Saves pending output. Call when the editor responds or the start has failed; commands may
   * continue reporting.
   */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#save();
    await this.#saving;
  }

  /**
   * Saves pending output and ignores later reports: commands that still run must not overwrite
   * the steps of the next start.
   *
   * @returns false if the output could not be saved yet.
   */
  async close(): Promise<boolean> {
    this.#closed = true;
    if (this.#steps.some(({ state }) => state === 'running')) {
      this.#steps = interruptSteps(this.#steps, this.#now().toISOString());
      this.#changed = true;
    }
    await this.flush();
    return !this.#isPending;
  }

  /** Discards unsaved output, because saving it later would overwrite the steps of the next start. */
  abandon(): void {
    this.#closed = true;
    this.#abandoned = true;
    clearTimeout(this.#timer);
  }

  get #isPending(): boolean {
    return this.#changed || this.#lines.length > 0;
  }

  #schedule(pauseMs = FLUSH_INTERVAL_MS): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#save();
    }, pauseMs);
  }

  #save(): void {
    this.#saving = this.#saving.then(() => this.#saveBatch());
  }

  /** Saves the output pending when it runs, including an earlier batch that failed, in order. */
  async #saveBatch(): Promise<void> {
    if (!this.#isPending || this.#abandoned) {
      return;
    }
    const lines = this.#lines;
    const change = this.#changed
      ? {
          steps: this.#steps.map(step => ({ ...step })),
          startWarnings: [...this.#warnings],
        }
      : null;
    this.#lines = [];
    this.#changed = false;
    try {
      await this.#options.save({ change, lines });
    } catch {
      this.#changed ||= change !== null;
      this.#lines = [...lines, ...this.#lines];
      if (!this.#abandoned) {
        this.#schedule(RETRY_PAUSE_MS);
      }
    }
  }
}

/** Dependencies of {@link StartRecorders}. */
interface StartRecordersOptions {
  store: WorkspaceStore;
  events: WorkspaceEvents;
  logger: LoggerService;
  now?: () => Date;
}

/**
 * Keeps the recorder of each workspace's latest start. It outlives the start, because the
 * postStart commands report while the workspace runs.
 */
export class StartRecorders {
  readonly #options: StartRecordersOptions;
  /** The recorders that may still receive reports or have unsaved output, by workspace. */
  readonly #open = new Map<string, StartRecorder>();

  constructor(options: StartRecordersOptions) {
    this.#options = options;
  }

  /** Opens the recorder of a new start, and ends the previous start's. */
  async open(workspace: Workspace): Promise<StartRecorder> {
    const { events, logger, now, store } = this.#options;
    await this.#end(workspace.id);
    /** The number of the last stored line, so that no line is stored twice. */
    let last: number | undefined;
    const recorder = new StartRecorder({
      now,
      async save({ change, lines }) {
        try {
          if (change) {
            await store.update(workspace.id, change);
          }
          if (lines.length > 0) {
            last ??= await store.log.last(workspace.id);
            last = await store.log.append(workspace.id, lines, last);
          }
        } catch (error) {
          logger.debug(`Could not record a start: ${stringifyError(error)}`);
          if (!isRefused(error)) {
            throw error;
          }
          // Saving it again would fail too, e.g. because another replica has deleted the workspace.
          return;
        }
        events.changed(workspace, null, {
          kind: change ? 'progress' : 'logged',
        });
      },
    });
    this.#open.set(workspace.id, recorder);
    return recorder;
  }

  /**
   * Closes a workspace's recorder. Output that cannot be saved now is saved later.
   *
   * @param reason - why an editor ended unexpectedly; becomes the last line of the log.
   */
  async close(id: string, reason?: string | null): Promise<void> {
    const recorder = this.#open.get(id);
    if (reason) {
      recorder?.log('slipway', reason);
    }
    if (await recorder?.close()) {
      this.#open.delete(id);
    }
  }

  /** Closes all recorders. Output that cannot be saved now is discarded. */
  async closeAll(): Promise<void> {
    await Promise.all([...this.#open.keys()].map(id => this.#end(id)));
  }

  async #end(id: string): Promise<void> {
    const recorder = this.#open.get(id);
    await recorder?.close();
    recorder?.abandon();
    this.#open.delete(id);
  }
}
