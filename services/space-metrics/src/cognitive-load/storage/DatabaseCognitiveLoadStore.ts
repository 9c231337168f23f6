import { type Database, GroupWriter } from '@slipway/service-kit';
import type { Knex } from 'knex';
import type { Contribution } from '../../records/Contribution.ts';
import { recordContributions } from '../../records/storage/rollups.ts';
import { numberPeople } from '../../storage/numberPeople.ts';
import { chunksOf, SUBMISSION_GROUPS } from '../../storage/sql.ts';
import { type CognitiveLoad, contributionOfLoad } from '../CognitiveLoad.ts';

/** Stores the assessments that arrive together, with their numbers, in one transaction. */
export class DatabaseCognitiveLoadStore {
  readonly #writer: GroupWriter<CognitiveLoad, void>;

  constructor(database: Database) {
    this.#writer = new GroupWriter<CognitiveLoad, void>({
      ...SUBMISSION_GROUPS,
      write: loads =>
        database.transaction(async trx => {
          await recordContributions(trx, await insertLoads(trx, loads));
          return loads.map(() => undefined);
        }),
    });
  }

  /** Resolves once the assessment is on disk and part of the numbers. */
  add(load: CognitiveLoad): Promise<void> {
    return this.#writer.add(load);
  }
}

/**
 * Inserts assessments.
 *
 * @returns their contributions to the numbers, which the caller has to record.
 */
export async function insertLoads(
  trx: Knex.Transaction,
  loads: readonly CognitiveLoad[],
): Promise<Contribution[]> {
  const people = await numberPeople(
    trx,
    loads.map(({ personHash }) => personHash),
  );
  const numberOf = (load: CognitiveLoad) => people.get(load.personHash)!;
  for (const part of chunksOf(loads)) {
    await trx('cognitive_loads').insert(
      part.map(load => ({
        id: load.id,
        person: numberOf(load),
        team: load.team,
        occurred_at: load.occurredAt,
        day: load.day,
        task: load.task,
        ...load.scores,
      })),
    );
  }
  return loads.map(load => contributionOfLoad(load, numberOf(load)));
}
