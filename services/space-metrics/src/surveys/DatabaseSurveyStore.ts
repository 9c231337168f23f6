import type { Database } from '@slipway/service-kit';
import type { DatabaseLedger } from '../ledger/DatabaseLedger.ts';
import { GroupWriter } from '../ledger/GroupWriter.ts';
import { insertRows } from '../ledger/insertRows.ts';
import { numberPeople } from '../people/DatabasePeople.ts';
import { contributionOfSurvey, type PulseSurvey } from './PulseSurvey.ts';
import type { SurveyStore } from './SurveyStore.ts';

const COLUMNS = {
  id: 'TEXT',
  person: 'INTEGER',
  team: 'TEXT',
  occurred_at: 'BIGINT',
  day: 'INTEGER',
  overall_satisfaction: 'INTEGER',
  productivity_this_week: 'INTEGER',
  recommend: 'INTEGER',
  blockers: 'TEXT',
  wins: 'TEXT',
} as const;

/** Stores surveys that arrive together in one transaction, with their numbers. */
export class DatabaseSurveyStore implements SurveyStore {
  readonly #writer: GroupWriter<PulseSurvey, void>;

  constructor(options: { database: Database; ledger: DatabaseLedger }) {
    const { database, ledger } = options;
    this.#writer = new GroupWriter<PulseSurvey, void>({
      write: surveys =>
        database.transaction(async trx => {
          const people = await numberPeople(
            trx,
            surveys.map(({ personHash }) => personHash),
          );
          const numberOf = (survey: PulseSurvey) =>
            people.get(survey.personHash)!;
          await insertRows(trx, {
            table: 'pulse_surveys',
            columns: COLUMNS,
            rows: surveys.map(survey => [
              survey.id,
              numberOf(survey),
              survey.team,
              survey.occurredAt,
              survey.day,
              survey.overallSatisfaction,
              survey.productivityThisWeek,
              survey.recommend ?? null,
              survey.blockers,
              survey.wins,
            ]),
          });
          await ledger.record(
            trx,
            surveys.map(each => contributionOfSurvey(each, numberOf(each))),
          );
          return surveys.map(() => undefined);
        }),
    });
  }

  add(survey: PulseSurvey): Promise<void> {
    return this.#writer.add(survey);
  }
}
