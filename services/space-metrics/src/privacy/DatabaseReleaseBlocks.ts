import type { Database } from '@slipway/service-kit';
import type { Knex } from 'knex';
import { CHUNK } from '../ledger/chunksOf.ts';
import { countRevision } from '../ledger/revisions.ts';
import { releaseBlocks, type Block, type PresentOn } from './releaseBlocks.ts';

/** In place of a team: what teams have not released themselves, together. */
export const REST = '~';

/** A day before any that can be recorded. */
const BEFORE_ALL = -1_000_000;

interface State {
  subject: string;
  team: string;
  last_end: number | null;
  dirty_from: number;
}

/**
 * Brings the blocks up to date with whoever came or went since: team by team from the
 * first day that changed, then what is left of all teams. A small team is thus shown
 * in the total as soon as it and other leftovers are enough people together, and never
 * as the difference between the total and the other teams.
 */
export async function refreshReleases(
  trx: Knex.Transaction,
  options: { minimum: number; client: Database['client'] },
): Promise<void> {
  const { minimum, client } = options;
  const query = trx<State>('release_states')
    .whereNotNull('dirty_from')
    .orderBy(['subject', 'team']);
  const states: State[] = await (client === 'postgres'
    ? query.forUpdate()
    : query);
  if (states.length > 0) {
    await countRevision(trx, 'release_blocks');
  }
  const restFrom = new Map<string, number>();
  for (const state of states) {
    const from = await refreshTeam(trx, state, minimum);
    const known = restFrom.get(state.subject) ?? Infinity;
    restFrom.set(state.subject, Math.min(known, from));
  }
  for (const [subject, from] of restFrom) {
    await replaceBlocks(trx, {
      subject,
      team: REST,
      from,
      minimum,
      present: after => restPresence(trx, subject, after),
    });
  }
}

/** @returns the first day from which more or less is left over than before. */
async function refreshTeam(
  trx: Knex.Transaction,
  state: State,
  minimum: number,
): Promise<number> {
  const { subject, team, dirty_from: dirtyFrom } = state;
  const { removed, added } = await replaceBlocks(trx, {
    subject,
    team,
    from: dirtyFrom,
    minimum,
    present: after =>
      trx('presence')
        .select('day', 'person', 'people')
        .where({ subject, team })
        .andWhere('day', '>', after)
        .orderBy('day'),
  });
  return Math.min(
    dirtyFrom,
    ...[...removed, ...added].map(({ start }) => start),
  );
}

async function replaceBlocks(
  trx: Knex.Transaction,
  options: {
    subject: string;
    team: string;
    from: number;
    minimum: number;
    present: (after: number) => Promise<PresentOn[]>;
  },
): Promise<{ removed: Block[]; added: Block[] }> {
  const { subject, team, from, minimum, present } = options;
  const outdated = () =>
    trx('release_blocks')
      .where({ subject, team })
      .andWhere('end_day', '>=', from);
  const removed: { start_day: number; end_day: number }[] =
    await outdated().select('start_day', 'end_day');
  await outdated().delete();
  const kept = await trx('release_blocks')
    .where({ subject, team })
    .max({ end: 'end_day' })
    .first();
  const after: number | null = kept?.end ?? null;
  const added = releaseBlocks(await present(after ?? BEFORE_ALL), { minimum });
  if (added.length > 0) {
    await trx.batchInsert(
      'release_blocks',
      added.map(({ start, end }) => ({
        subject,
        team,
        start_day: start,
        end_day: end,
      })),
      CHUNK,
    );
  }
  await trx('release_states')
    .insert({
      subject,
      team,
      last_end: added.at(-1)?.end ?? after,
      dirty_from: null,
    })
    .onConflict(['subject', 'team'])
    .merge();
  return {
    removed: removed.map(row => ({ start: row.start_day, end: row.end_day })),
    added,
  };
}

async function restPresence(
  trx: Knex.Transaction,
  subject: string,
  after: number,
): Promise<PresentOn[]> {
  return trx('presence as p')
    .join('release_states as s', join =>
      join.on('s.subject', 'p.subject').andOn('s.team', 'p.team'),
    )
    .where('p.subject', subject)
    .andWhere('p.day', '>', after)
    .andWhere(past =>
      past.whereNull('s.last_end').orWhereRaw('p.day > s.last_end'),
    )
    .orderBy('p.day')
    .select('p.day as day', 'p.person as person', 'p.people as people');
}
