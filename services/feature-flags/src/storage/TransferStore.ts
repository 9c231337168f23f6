import type { Database } from '@slipway/service-kit';
import type { ContextField, Environment, Project } from '../model/Registers.ts';
import type { FlagStore, FlagTransaction } from './FlagStore.ts';
import type {
  Authorship,
  RegisterStore,
  RegisterTransaction,
} from './RegisterStore.ts';
import { lockRevision } from './revisions.ts';
import { segmentTransaction, type SegmentTransaction } from './SegmentStore.ts';

/** One transaction over flags and everything they refer to, isolated from other writers. */
export interface TransferTransaction {
  readonly flags: FlagTransaction;
  readonly segments: SegmentTransaction;
  readonly environments: RegisterTransaction<Environment>;
  readonly projects: RegisterTransaction<Project>;
  readonly contextFields: RegisterTransaction<ContextField>;
}

interface TransferStores {
  database: Database;
  flags: FlagStore;
  registers: {
    environments: RegisterStore<Environment>;
    projects: RegisterStore<Project>;
    contextFields: RegisterStore<ContextField>;
  };
}

/** Reads and writes flags together with everything they refer to. */
export class TransferStore {
  readonly #options: TransferStores;

  constructor(options: TransferStores) {
    this.#options = options;
  }

  /** Resolves once everything is committed; rolls back if `work` throws. */
  transaction<T>(
    author: Authorship,
    work: (trx: TransferTransaction) => Promise<T>,
  ): Promise<T> {
    const { database, flags, registers } = this.#options;
    const { client } = database;
    return database.transaction(async trx => {
      await lockRevision(trx, { subject: 'flags', client });
      return flags.import(trx, imported =>
        work({
          flags: imported,
          segments: segmentTransaction(trx, author),
          environments: registers.environments.within(trx),
          projects: registers.projects.within(trx),
          contextFields: registers.contextFields.within(trx),
        }),
      );
    });
  }
}
