import type { Transaction } from '@slipway/service-kit';
import type { Build, TestCase } from '../builds/Build.ts';
import type { Offer } from './claims.ts';

/** Listens to changes of builds. */
export interface BuildListener {
  /** Called in the transaction that queues a build; the transaction may be retried. */
  onQueued?(trx: Transaction, build: Build): Promise<void>;
  /** Called with the test cases of a build, in the transaction that ends it. */
  onTests?(
    trx: Transaction,
    build: Build,
    cases: readonly TestCase[],
  ): Promise<void>;
  /** Called in the transaction that ends a build; the transaction may be retried. */
  onFinished?(trx: Transaction, build: Build): Promise<void>;
  /**
   * Called before builds are queued: this process may start some in the same transaction, which
   * saves a commit.
   *
   * @param jobs - names of the jobs of these builds.
   */
  offer?(jobs: ReadonlySet<string>): Offer | undefined;
  /** Called after a build whose process is gone has been queued again. */
  afterRequeued?(): void;
  /** Called once the end of a build is stored. */
  afterFinished?(build: Build): void;
}
