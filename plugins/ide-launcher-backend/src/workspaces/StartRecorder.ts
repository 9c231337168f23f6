import { LoggerService } from '@backstage/backend-plugin-api';
import { stringifyError } from '@backstage/errors';
import {
  StartStep,
  WorkspaceLogLine,
} from '@slipway/plugin-ide-launcher-common';
import { StartReporter } from '../runtimes/WorkspaceRuntime';
import { WorkspaceStore } from './storage/WorkspaceStore';
import { NewLogLine, Workspace, WorkspaceChange } from './Workspace';
import { WorkspaceEvents } from './WorkspaceEvents';

/** What a step says whose end nobody saw. */
const INTERRUPTED = 'Interrupted before it finished';

/** The steps with those that still run marked as interrupted at `at`; nothing waits for them any more. */
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

/** Pages need no more than a few updates a second; the database even less. */
const FLUSH_INTERVAL_MS = 200;

/** A log is for reading: what a runaway command prints beyond this is dropped, and said to be. */
const MAX_LOG_LINES = 5_000;
const MAX_LINE_LENGTH = 4_000;

/** What a recorder writes to, in batches. */
interface StartRecorderSink {
  save(batch: {
    change: WorkspaceChange | null;
    lines: NewLogLine[];
  }): Promise<void>;
}

/** Collects what a runtime reports of one start and saves it in batches, in order. */
export class StartRecorder implements StartReporter {
  readonly #sink: StartRecorderSink;
  readonly #now: () => Date;
  #steps: StartStep[] = [];
  readonly #warnings: string[];
  #lines: NewLogLine[] = [];
  #lineCount = 0;
  #changed = false;
  #closed = false;
  #timer: NodeJS.Timeout | undefined;
  #saving: Promise<void> = Promise.resolve();

  constructor(options: {
    sink: StartRecorderSink;
    warnings: string[];
    now?: () => Date;
  }) {
    this.#sink = options.sink;
    this.#warnings = [...options.warnings];
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
    // PostgreSQL stores no NUL characters, and would refuse the whole batch.
    for (const line of text.replaceAll('\0', '').split(/\r?\n/)) {
      this.#lineCount += 1;
      if (this.#lineCount === MAX_LOG_LINES) {
        this.#lines.push({
          at,
          source: 'slipway',
          text: `The log is longer than ${MAX_LOG_LINES} lines; the rest is not stored`,
        });
      } else if (this.#lineCount < MAX_LOG_LINES) {
        this.#lines.push({ at, source, text: line.slice(0, MAX_LINE_LENGTH) });
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

  /** Marks whatever step still runs as failed, with the cause. */
  fail(message: string): void {
    const running = this.#steps.filter(({ state }) => state === 'running');
    for (const { id, title } of running) {
      this.step({ id, title, state: 'failed', message });
    }
    this.log('slipway', message);
  }

  /** Saves what is not saved yet. Call when the editor answers or the start has failed; commands may go on reporting. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#save();
    await this.#saving;
  }

  /**
   * Saves what is not saved yet and takes nothing more: commands that still run
   * must not write over the steps of the next start.
   */
  async close(): Promise<void> {
    this.#closed = true;
    if (this.#steps.some(({ state }) => state === 'running')) {
      this.#steps = interruptSteps(this.#steps, this.#now().toISOString());
      this.#changed = true;
    }
    await this.flush();
  }

  #schedule(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#save();
    }, FLUSH_INTERVAL_MS);
  }

  #save(): void {
    if (!this.#changed && this.#lines.length === 0) {
      return;
    }
    const lines = this.#lines;
    const change = this.#changed
      ? {
          steps: this.#steps.map(step => ({ ...step })),
          warnings: [...this.#warnings],
        }
      : null;
    this.#lines = [];
    this.#changed = false;
    this.#saving = this.#saving.then(() => this.#sink.save({ change, lines }));
  }
}

/** What {@link StartRecorders} work with. */
interface StartRecordersOptions {
  store: WorkspaceStore;
  events: WorkspaceEvents;
  logger: LoggerService;
  now?: () => Date;
}

/**
 * The recorder of each workspace's latest start, which outlives the start: the
 * commands of postStart report while the workspace runs.
 */
export class StartRecorders {
  readonly #options: StartRecordersOptions;
  readonly #open = new Map<string, StartRecorder>();

  constructor(options: StartRecordersOptions) {
    this.#options = options;
  }

  /** Opens the recorder of a new start; an older start's writes nothing from here on. */
  async open(workspace: Workspace): Promise<StartRecorder> {
    const { events, logger, now, store } = this.#options;
    await this.close(workspace.id);
    const recorder = new StartRecorder({
      now,
      warnings: workspace.warnings,
      sink: {
        async save({ change, lines }) {
          try {
            if (change) {
              await store.update(workspace.id, change);
            }
            await store.appendLog(workspace.id, lines);
          } catch (error) {
            // The log is not worth a start; a deleted workspace has none to write to.
            logger.debug(`Could not record a start: ${stringifyError(error)}`);
          }
          events.changed(workspace, null, {
            kind: change ? 'progress' : 'logged',
          });
        },
      },
    });
    this.#open.set(workspace.id, recorder);
    return recorder;
  }

  /** Saves what a workspace's recorder still holds, and ends it. */
  async close(id: string): Promise<void> {
    const recorder = this.#open.get(id);
    this.#open.delete(id);
    await recorder?.close();
  }

  async closeAll(): Promise<void> {
    await Promise.all([...this.#open.keys()].map(id => this.close(id)));
  }
}
