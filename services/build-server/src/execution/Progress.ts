import type { BuildProgress, BuildSource, BuildStep } from '../builds/Build.ts';

/** What a running build has come to: its steps, and what it builds. */
export class Progress {
  readonly steps: BuildStep[];
  source: BuildSource | null;
  readonly #now: () => number;
  readonly #save: (progress: BuildProgress) => Promise<void>;

  constructor(
    names: readonly string[],
    options: {
      source: BuildSource | null;
      now: () => number;
      /** Writes it down, whenever a step begins. */
      save(progress: BuildProgress): Promise<void>;
    },
  ) {
    this.source = options.source;
    this.#now = options.now;
    this.#save = options.save;
    this.steps = names.map(name => ({
      name,
      state: 'pending',
      startedAt: null,
      finishedAt: null,
      message: null,
    }));
  }

  async begin(index: number): Promise<void> {
    Object.assign(this.steps[index], {
      state: 'running',
      startedAt: this.#now(),
    });
    await this.#save({ steps: this.steps, source: this.source });
  }

  /** Ends a step; written down with what comes next: another step, or the end of the build. */
  end(
    index: number,
    state: 'done' | 'warning' | 'failed',
    message: string | null = null,
  ): void {
    Object.assign(this.steps[index], {
      state,
      message,
      finishedAt: this.#now(),
    });
  }

  /** Ends the step that runs. */
  fail(message: string): void {
    const index = this.steps.findIndex(({ state }) => state === 'running');
    if (index >= 0) {
      this.end(index, 'failed', message);
    }
  }
}
