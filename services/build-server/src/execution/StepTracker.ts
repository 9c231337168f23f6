import type { BuildStep } from '../builds/Build.ts';

/** The steps of a running build, and who is told when one changes. */
export class StepTracker {
  readonly steps: BuildStep[];
  readonly #now: () => number;
  readonly #onChange: (steps: BuildStep[]) => Promise<void>;

  constructor(
    names: readonly string[],
    options: {
      now: () => number;
      onChange(steps: BuildStep[]): Promise<void>;
    },
  ) {
    this.#now = options.now;
    this.#onChange = options.onChange;
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
    await this.#onChange(this.steps);
  }

  /** Written down with what comes next: the beginning of another step, or the end. */
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
