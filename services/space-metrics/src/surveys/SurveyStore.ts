import type { PulseSurvey } from './PulseSurvey.ts';

export interface SurveyStore {
  /** Resolves once the survey is on disk and part of the numbers. */
  add(survey: PulseSurvey): Promise<void>;
}
