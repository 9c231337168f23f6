import {
  createServiceFactory,
  createServiceRef,
} from '@backstage/backend-plugin-api';
import type { Act } from '@slipway/entity-contract';

/** Maximum number of entries that are buffered until the log is opened; further ones are dropped. */
const MAX_WAITING = 1_000;

/**
 * Passes the audit entries of all plugins in this process to the audit log, which one plugin
 * stores. Buffers entries recorded before the log is opened.
 */
export class AuditTrail {
  #write: ((act: Act) => Promise<void>) | undefined;
  #waiting: Act[] = [];

  /**
   * Records an entry. Never throws, so that a completed action is not reported as failed.
   */
  async record(act: Act): Promise<void> {
    if (this.#write) {
      await this.#write(act);
    } else if (this.#waiting.length < MAX_WAITING) {
      this.#waiting.push(act);
    }
  }

  /**
   * Opens the log, and stores the buffered entries.
   *
   * @param write - stores an entry, and handles its own errors.
   */
  async open(write: (act: Act) => Promise<void>): Promise<void> {
    this.#write = write;
    for (const act of this.#waiting.splice(0)) {
      await write(act);
    }
  }
}

/** Shared by all plugins of the process. */
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
