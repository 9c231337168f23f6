import type { Knex } from 'knex';
import { landingTime } from '../derivation/changePosition';
import { DURATION_KIND } from '../derivation/durationBucket';
import { StoredChange } from './HistoryStore';

interface ChangeRow extends Omit<StoredChange, 'committedAt' | 'leadTime'> {
  committed_at: number | string | null;
  position: number | string;
  duration: number | string | null;
}

function toChange(row: ChangeRow): StoredChange {
  const { committed_at, position, duration, ...change } = row;
  return {
    ...change,
    committedAt: Number(committed_at ?? landingTime(Number(position))),
    leadTime: duration === null ? null : Number(duration),
  };
}

/** Reads the changes that deployments brought. */
export class DatabaseDeliveredChanges {
  readonly #db: Knex;

  constructor(db: Knex) {
    this.#db = db;
  }

  /** @param deploymentRowId - internal id. */
  async read(
    deploymentRowId: number,
    limit: number,
  ): Promise<{ changes: StoredChange[]; total: number }> {
    const delivered = (): Knex.QueryBuilder =>
      this.#db({ t: 'durations' })
        .join({ c: 'changes' }, 'c.id', 't.subject_id')
        .where({
          't.deployment_id': deploymentRowId,
          't.kind': DURATION_KIND.lead,
        });
    const [[{ total }], rows] = await Promise.all([
      delivered().count({ total: '*' }),
      delivered()
        .join({ r: 'repositories' }, 'r.id', 'c.repository_id')
        .select('c.sha', 'c.message', 'c.author', 'c.committed_at', 'c.url')
        .select('c.position', 't.duration', { repository: 'r.name' })
        .orderBy('c.position', 'desc')
        .limit(limit),
    ]);
    return { changes: rows.map(toChange), total: Number(total) };
  }
}
