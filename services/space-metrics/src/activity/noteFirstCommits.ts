import type { Knex } from 'knex';
import { countRevision } from '../ledger/revisions.ts';
import { selectRows } from '../ledger/selectRows.ts';
import type { FirstCommit } from './ActivityStore.ts';

/** Keeps the earliest commit of each person, in whatever order they come in. */
export async function noteFirstCommits(
  trx: Knex.Transaction,
  commits: readonly Omit<FirstCommit, 'personHash'>[],
): Promise<void> {
  const earliest = new Map<number, Omit<FirstCommit, 'personHash'>>();
  for (const commit of commits) {
    const known = earliest.get(commit.person);
    if (!known || known.at > commit.at) {
      earliest.set(commit.person, commit);
    }
  }
  if (earliest.size === 0) {
    return;
  }
  const firsts = [...earliest.values()].sort((a, b) => a.person - b.person);
  const row =
    '(CAST(? AS INTEGER), CAST(? AS BIGINT), CAST(? AS INTEGER), CAST(? AS TEXT))';
  const changed = await selectRows(
    trx,
    `WITH earliest(person, at, day, team) AS (VALUES ${firsts
      .map(() => row)
      .join(', ')})
     UPDATE people SET first_commit_at = earliest.at,
       first_commit_day = earliest.day, first_commit_team = earliest.team
     FROM earliest
     WHERE people.id = earliest.person
       AND (people.first_commit_at IS NULL OR people.first_commit_at > earliest.at)
     RETURNING people.id`,
    firsts.flatMap(({ person, at, day, team }) => [person, at, day, team]),
  );
  if (changed.length > 0) {
    await countRevision(trx, 'first_commits');
  }
}
