import { LoggerService } from '@backstage/backend-plugin-api';
import type {
  DatabaseDemoState,
  DemoPhase,
  DemoState,
  DemoStep,
} from './storage/DatabaseDemoState';

const REPORT_EVERY_MS = 300;
const HEARTBEAT_MS = 10_000;

/** Dependencies of {@link Progress}. */
interface ProgressOptions {
  state: DatabaseDemoState;
  now: () => number;
  logger: LoggerService;
}

/** Periodically stores the progress of the work. */
export class Progress {
  readonly #begun: DemoState;
  readonly #options: ProgressOptions;
  #steps: DemoStep[];
  #writing: Promise<void> = Promise.resolve();
  #writtenAt = 0;
  readonly #heartbeat: NodeJS.Timeout;

  constructor(begun: DemoState, options: ProgressOptions) {
    this.#begun = begun;
    this.#options = options;
    this.#steps = [...begun.steps];
    this.#heartbeat = setInterval(() => this.#write(), HEARTBEAT_MS);
  }

  step(id: string, change: Partial<DemoStep>): void {
    this.#steps = this.#steps.map(step =>
      step.id === id ? { ...step, ...change } : step,
    );
    if (
      change.status ||
      this.#options.now() - this.#writtenAt >= REPORT_EVERY_MS
    ) {
      this.#write();
    }
  }

  state(phase: DemoPhase): DemoState {
    return {
      ...this.#begun,
      phase,
      steps: this.#steps,
      updatedAt: this.#options.now(),
    };
  }

  async end(): Promise<void> {
    clearInterval(this.#heartbeat);
    await this.#writing;
  }

  #write(): void {
    this.#writtenAt = this.#options.now();
    this.#writing = this.#writing
      .then(() => this.#options.state.write(this.state(this.#begun.phase)))
      .catch(error =>
        this.#options.logger.warn(
          'Could not store the progress of the demo',
          error,
        ),
      );
  }
}
