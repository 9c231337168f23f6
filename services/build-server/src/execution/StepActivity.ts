/**
 * Tracks whether a build has running steps or only waits for people. A build that only waits uses
 * no executor.
 */
export class StepActivity {
  readonly #onChange: (isIdle: boolean) => void;
  #running = 0;
  #waiting = 0;
  #isIdle = false;

  /** @param onChange - called when the build starts to wait, and when it resumes. */
  constructor(onChange: (isIdle: boolean) => void) {
    this.#onChange = onChange;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    this.#running += 1;
    this.#update();
    try {
      return await work();
    } finally {
      this.#running -= 1;
      this.#update();
    }
  }

  async wait<T>(work: () => Promise<T>): Promise<T> {
    this.#waiting += 1;
    this.#update();
    try {
      return await work();
    } finally {
      this.#waiting -= 1;
      this.#update();
    }
  }

  #update(): void {
    const isIdle = this.#waiting > 0 && this.#running === 0;
    if (isIdle !== this.#isIdle) {
      this.#isIdle = isIdle;
      this.#onChange(isIdle);
    }
  }
}
