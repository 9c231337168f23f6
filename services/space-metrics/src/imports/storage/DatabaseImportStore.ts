import type { Database } from '@slipway/service-kit';
import type { CognitiveLoad } from '../../cognitive-load/CognitiveLoad.ts';
import { insertLoads } from '../../cognitive-load/storage/DatabaseCognitiveLoadStore.ts';
import type { FrictionLog } from '../../friction/FrictionLog.ts';
import { insertFriction } from '../../friction/storage/DatabaseFrictionStore.ts';
import { recordContributions } from '../../records/storage/rollups.ts';
import { numberPeople } from '../../storage/numberPeople.ts';
import type { PulseSurvey } from '../../surveys/PulseSurvey.ts';
import { insertSurveys } from '../../surveys/storage/DatabaseSurveyStore.ts';

/** The answers of one import. */
export interface ImportedAnswers {
  readonly surveys: readonly PulseSurvey[];
  readonly frictionLogs: readonly FrictionLog[];
  readonly cognitiveLoads: readonly CognitiveLoad[];
}

/**
 * Stores the answers of an import in one transaction: after a failure, the sender can repeat the
 * whole import.
 */
export class DatabaseImportStore {
  readonly #database: Database;
  readonly #cycleDays: number;

  /** @param options.cycleDays - days from one survey to the next. */
  constructor(options: { database: Database; cycleDays: number }) {
    this.#database = options.database;
    this.#cycleDays = options.cycleDays;
  }

  async add(answers: ImportedAnswers): Promise<void> {
    const { surveys, frictionLogs, cognitiveLoads } = answers;
    const cycleDays = this.#cycleDays;
    await this.#database.transaction(async trx => {
      // Locks all people up front, so that two imports cannot deadlock.
      await numberPeople(
        trx,
        [...surveys, ...frictionLogs, ...cognitiveLoads].map(
          ({ personHash }) => personHash,
        ),
        { lock: true },
      );
      const { added, replaced } = await insertSurveys(trx, {
        surveys,
        cycleDays,
      });
      await recordContributions(
        trx,
        [
          ...added,
          ...(await insertFriction(trx, frictionLogs)),
          ...(await insertLoads(trx, cognitiveLoads)),
        ],
        replaced,
      );
    });
  }
}
