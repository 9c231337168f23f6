import type { Database } from '@slipway/service-kit';
import type { Knex } from 'knex';
import { type LocalDay, localDayOf } from '../../periods/LocalDay.ts';
import { spansOf } from '../../records/storage/presence.ts';
import { countRevision } from '../../storage/revisions.ts';
import { recordTables } from './recordTables.ts';

/**
 * Deletes records and numbers that are older than may be kept.
 *
 * @param options.days - how long they are kept.
 */
export async function deleteOldRecords(
  database: Database,
  options: { days: number; timeZone: string; now: Date },
): Promise<void> {
  const { days, timeZone, now } = options;
  const first = localDayOf(now.getTime(), timeZone) - days;
  await database.transaction(async trx => {
    for (const { name } of Object.values(recordTables)) {
      await trx(name).where('day', '<', first).delete();
    }
    await trx('daily_totals').where('day', '<', first).delete();
    await trx('joiners').where('day', '<', first).delete();
    await forgetBatches(trx, first);
    await forgetSpans(trx, first);
    const forgotten = await trx('people')
      .where('first_commit_day', '<', first)
      .update({
        first_commit_at: null,
        first_commit_day: null,
        first_commit_team: null,
      });
    if (forgotten > 0) {
      await countRevision(trx, 'first_commits');
    }
  });
}

async function forgetBatches(
  trx: Knex.Transaction,
  first: LocalDay,
): Promise<void> {
  const old = trx('released').where('day', '<', first);
  await trx('released_texts')
    .whereIn('batch', old.clone().select('batch'))
    .delete();
  await old.delete();
}

async function forgetSpans(
  trx: Knex.Transaction,
  first: LocalDay,
): Promise<void> {
  const [{ span, days }] = spansOf({ from: first, to: first + 30 });
  await trx('presence_spans').where('span', '<', span).delete();
  await trx('presence_spans')
    .where({ span })
    .update({ days: trx.raw('days & ?', [days]) });
  await trx('presence_spans').where({ span, days: 0 }).delete();
}
