import type { Database } from '@slipway/service-kit';
import type { Claim } from '../builds/Build.ts';
import type { Decision } from '../execution/Exchange.ts';
import type { Approval } from '../jobs/JobStep.ts';
import { storableName } from './buildRows.ts';

interface GateRow {
  build_id: number;
  step: string;
  approval: string;
  opened_at: number | string;
  decision: string | null;
  decided_by: string | null;
  decided_at: number | string | null;
  comment: string | null;
  inputs: string | null;
}

/** More decisions than a platform has at a time; their builds are read with one statement. */
const MAX_WAITING = 1_000;

/** A past or pending decision of a build. Times are milliseconds since the Unix epoch. */
export interface Gate {
  buildId: number;
  step: string;
  approval: Approval;
  openedAt: number;
  decision: (Decision & { at: number }) | null;
}

function toGate(row: GateRow): Gate {
  return {
    buildId: row.build_id,
    step: row.step,
    approval: JSON.parse(row.approval),
    openedAt: Number(row.opened_at),
    decision:
      row.decision === null
        ? null
        : {
            isApproved: row.decision === 'approved',
            by: row.decided_by ?? '',
            at: Number(row.decided_at),
            comment: row.comment,
            values: JSON.parse(row.inputs ?? '{}'),
          },
  };
}

/**
 * Stores the approval requests of builds and the decisions about them, which outlive the attempt
 * that made the request.
 */
export class GateStore {
  readonly #database: Database;
  readonly #now: () => number;

  constructor(options: { database: Database; now: () => number }) {
    this.#database = options.database;
    this.#now = options.now;
  }

  async ask(
    { id }: Claim,
    { step, approval }: { step: string; approval: Approval },
  ): Promise<Decision | undefined> {
    const found = await this.find(id, step);
    if (found) {
      return found.decision ?? undefined;
    }
    await this.#database.transaction(trx =>
      trx('build_gates')
        .insert({
          build_id: id,
          step,
          approval: JSON.stringify(approval),
          opened_at: this.#now(),
        })
        .onConflict(['build_id', 'step'])
        .ignore(),
    );
    return undefined;
  }

  async find(buildId: number, step: string): Promise<Gate | undefined> {
    const row = await this.#gates().where({ build_id: buildId, step }).first();
    return row && toGate(row);
  }

  async list(buildId: number): Promise<Gate[]> {
    const rows = await this.#gates()
      .where({ build_id: buildId })
      .orderBy(['opened_at', 'step']);
    return rows.map(toGate);
  }

  /** Lists the first {@link MAX_WAITING} pending decisions of builds that have not ended, oldest first. */
  async listWaiting(): Promise<Gate[]> {
    const rows = await this.#gates()
      .whereNull('decision')
      .whereIn(
        'build_id',
        this.#database
          .knex('builds')
          .whereIn('state', ['queued', 'running'])
          .select('id'),
      )
      .orderBy('opened_at')
      .limit(MAX_WAITING);
    return rows.map(toGate);
  }

  /** Stores a decision. @returns false if there already is one. */
  async decide(
    gate: { buildId: number; step: string },
    decision: Decision,
  ): Promise<boolean> {
    const changed = await this.#database.transaction(trx =>
      trx('build_gates')
        .where({ build_id: gate.buildId, step: gate.step })
        .whereNull('decision')
        .update({
          decision: decision.isApproved ? 'approved' : 'rejected',
          decided_by: storableName(decision.by),
          decided_at: this.#now(),
          comment: decision.comment,
          inputs: JSON.stringify(decision.values),
        }),
    );
    return changed > 0;
  }

  #gates() {
    return this.#database.knex<GateRow, GateRow[]>('build_gates');
  }
}
