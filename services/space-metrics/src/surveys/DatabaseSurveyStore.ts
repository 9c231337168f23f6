import type { Database } from '@slipway/service-kit';
import type { DatabaseLedger } from '../ledger/DatabaseLedger.ts';
import { GroupWriter } from '../ledger/GroupWriter.ts';
import { numberPeople } from '../people/DatabasePeople.ts';
import { contributionOfSurvey, type PulseSurvey } from './PulseSurvey.ts';
import type { SurveyStore } from './SurveyStore.ts';

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
          await trx('pulse_surveys').insert(
            surveys.map(survey => ({
              id: survey.id,
              person: numberOf(survey),
              team: survey.team,
              occurred_at: survey.occurredAt,
              day: survey.day,
              overall_satisfaction: survey.overallSatisfaction,
              productivity_this_week: survey.productivityThisWeek,
              recommend: survey.recommend ?? null,
              blockers: survey.blockers,
              wins: survey.wins,
            })),
          );
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
