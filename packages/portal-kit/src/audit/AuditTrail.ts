import {
  createServiceFactory,
  createServiceRef,
} from '@backstage/backend-plugin-api';
import type { Act } from '@slipway/entity-contract';

/** Acts that wait for the log to be opened, at most. */
const MOST_WAITING = 1_000;

/**
 * Takes the administrative acts of all plugins of the process to the log, which one plugin
 * keeps. What happens before that has opened it waits.
 */
export class AuditTrail {
  #write: ((act: Act) => Promise<void>) | undefined;
  #waiting: Act[] = [];

  /** Writes an act down. Never throws: what was done must not be taken for failed. */
  async record(act: Act): Promise<void> {
    if (this.#write) {
      await this.#write(act);
    } else if (this.#waiting.length < MOST_WAITING) {
      this.#waiting.push(act);
    }
  }

  /** @param write - keeps an act, and handles its own failures. */
  async open(write: (act: Act) => Promise<void>): Promise<void> {
    this.#write = write;
    for (const act of this.#waiting.splice(0)) {
      await write(act);
    }
  }
}

/** One for all plugins of the process. */
export const auditTrailRef = createServiceRef<AuditTrail>({
  id: 'slipway.audit-trail',
  scope: 'root',
  defaultFactory: async service =>
    createServiceFactory({
      service,
      deps: {},
      factory: () => new AuditTrail(),
    }),
});
