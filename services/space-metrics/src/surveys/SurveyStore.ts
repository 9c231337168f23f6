import type { PulseSurvey } from './PulseSurvey.ts';

/** Takes surveys in. It reads none: numbers come from the ledger's rollups. */
export interface SurveyStore {
  /** Resolves once the survey is on disk and part of the numbers. */
  add(survey: PulseSurvey): Promise<void>;
}
