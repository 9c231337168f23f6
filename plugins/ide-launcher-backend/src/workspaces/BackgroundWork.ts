import { LoggerService } from '@backstage/backend-plugin-api';

/** Work on workspaces that goes on after whoever asked for it was answered. */
export class BackgroundWork {
  readonly #logger: LoggerService;
  readonly #underWay = new Set<Promise<void>>();
  #settling = false;

  constructor(options: { logger: LoggerService }) {
    this.#logger = options.logger;
  }

  /** Sees work to its end; an error is logged. */
  add(work: Promise<void>): void {
    const tracked = work
      .catch(error => {
        if (!this.#settling) {
          this.#logger.error('Work on a workspace failed', error);
        }
      })
      .finally(() => this.#underWay.delete(tracked));
    this.#underWay.add(tracked);
  }

  /** Waits for all work, and what that brings about. Errors from here on are the shutdown's, and not logged. */
  async settle(): Promise<void> {
    this.#settling = true;
    while (this.#underWay.size > 0) {
      await Promise.all(this.#underWay);
    }
  }
}
