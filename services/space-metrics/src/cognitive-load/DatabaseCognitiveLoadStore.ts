import type { Database } from '@slipway/service-kit';
import { GroupWriter } from '../ledger/GroupWriter.ts';
import { recordContributions } from '../ledger/rollups.ts';
import { numberPeople } from '../people/DatabasePeople.ts';
import { contributionOfLoad, type CognitiveLoad } from './CognitiveLoad.ts';
import type { CognitiveLoadStore } from './CognitiveLoadStore.ts';

/** Stores assessments that arrive together in one transaction, with their numbers. */
export class DatabaseCognitiveLoadStore implements CognitiveLoadStore {
  readonly #writer: GroupWriter<CognitiveLoad, void>;

  constructor(database: Database) {
    this.#writer = new GroupWriter<CognitiveLoad, void>({
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

  add(load: CognitiveLoad): Promise<void> {
    return this.#writer.add(load);
  }
}
