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
    this.steps = [];
    this.add(names);
  }

  /** Adds steps that are known only now. @returns the position of the first. */
  add(names: readonly string[]): number {
    const first = this.steps.length;
    this.steps.push(
      ...names.map((name): BuildStep => ({
        name,
        state: 'pending',
        startedAt: null,
        finishedAt: null,
        message: null,
      })),
    );
    return first;
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

  /** Leaves a step out. */
  skip(index: number, message: string): void {
    Object.assign(this.steps[index], { state: 'skipped', message });
  }

  /** Ends the steps that run. */
  fail(message: string): void {
    for (const [index, { state }] of this.steps.entries()) {
      if (state === 'running') {
        this.end(index, 'failed', message);
      }
    }
  }
}
