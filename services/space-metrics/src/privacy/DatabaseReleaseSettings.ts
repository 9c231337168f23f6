import type { Database } from '@slipway/service-kit';
import { countRevision } from '../ledger/revisions.ts';

const NAME = 'minimum_group_size';

/**
 * Has all blocks worked out anew where the minimum group size is not what they were
 * cut for: to be called at each start.
 */
export async function adoptMinimumGroupSize(
  database: Database,
  minimumGroupSize: number,
): Promise<void> {
  await database.transaction(async trx => {
    const known = await trx('settings').where({ name: NAME }).first('value');
    if (known?.value === String(minimumGroupSize)) {
      return;
    }
    await trx('release_blocks').delete();
    await trx('release_states').delete();
    await countRevision(trx, 'release_blocks');
    await trx.raw(
      `INSERT INTO release_states (subject, team, last_end, dirty_from)
       SELECT subject, team, NULL, MIN(day) FROM presence GROUP BY subject, team
       ON CONFLICT DO NOTHING`,
    );
    await trx('settings')
      .insert({ name: NAME, value: String(minimumGroupSize) })
      .onConflict('name')
      .merge();
  });
}
