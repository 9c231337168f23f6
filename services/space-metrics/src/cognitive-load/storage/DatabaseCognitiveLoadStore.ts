import { type Database, GroupWriter } from '@slipway/service-kit';
import { SUBMISSION_GROUPS } from '../../storage/sql.ts';
import { recordContributions } from '../../records/storage/rollups.ts';
import { numberPeople } from '../../storage/numberPeople.ts';
import { type CognitiveLoad, contributionOfLoad } from '../CognitiveLoad.ts';

/** Stores assessments that arrive together in one transaction, with their numbers. */
export class DatabaseCognitiveLoadStore {
  readonly #writer: GroupWriter<CognitiveLoad, void>;

  constructor(database: Database) {
    this.#writer = new GroupWriter<CognitiveLoad, void>({
      ...SUBMISSION_GROUPS,
      write: loads =>
        database.transaction(async trx => {
          const people = await numberPeople(
            trx,
            loads.map(({ personHash }) => personHash),
          );
          const numberOf = (load: CognitiveLoad) =>
            people.get(load.personHash)!;
          await trx('cognitive_loads').insert(
            loads.map(load => ({
              id: load.id,
              person: numberOf(load),
              team: load.team,
              occurred_at: load.occurredAt,
              day: load.day,
              task: load.task,
              ...load.scores,
            })),
          );
          await recordContributions(
            trx,
            loads.map(load => contributionOfLoad(load, numberOf(load))),
          );
          return loads.map(() => undefined);
        }),
    });
  }

  /** Resolves once the assessment is on disk and part of the numbers. */
  add(load: CognitiveLoad): Promise<void> {
    return this.#writer.add(load);
  }
}
