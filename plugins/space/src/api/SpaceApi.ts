import { createApiRef } from '@backstage/frontend-plugin-api';
import type {
  Assessment,
  AssessmentForm,
  DimensionName,
  DimensionReport,
  Friction,
  Granularity,
  LoadReceipt,
  PersonalRecords,
  Pulse,
  Reminder,
  ReminderChange,
  TopFriction,
  Values,
} from './types';

/** What every call takes beside its own arguments. */
export interface CallOptions {
  /** Aborts the request. */
  signal?: AbortSignal;
}

/** A team and a period, as parameters of a request. */
export interface SpaceQuery {
  /** Name of a team as `getTeams` gives it; everybody without it. */
  team?: string;
  /** `YYYY-MM-DD`, both inclusive. */
  startDate: string;
  endDate: string;
}

/**
 * Reads and feeds space-metrics. Every method rejects with a `ResponseError` when
 * the answer is not 2xx, and with a `TypeError` when there was none. Whatever is
 * sent is the signed-in user's; the service takes who that is from the session.
 */
export interface SpaceApi {
  /** Names of the teams that have data. */
  getTeams(options?: CallOptions): Promise<string[]>;
  /** All fields of all dimensions, without what they rest on. */
  getValues(query: SpaceQuery, options?: CallOptions): Promise<Values>;
  getDimension(
    name: DimensionName,
    query: SpaceQuery & { granularity: Granularity },
    options?: CallOptions,
  ): Promise<DimensionReport>;
  getTopFriction(
    query: SpaceQuery,
    options?: CallOptions,
  ): Promise<TopFriction>;
  getAssessmentForm(options?: CallOptions): Promise<AssessmentForm>;
  getReminder(options?: CallOptions): Promise<Reminder>;
  changeReminder(change: ReminderChange): Promise<Reminder>;
  submitPulse(pulse: Pulse): Promise<void>;
  submitFriction(friction: Friction): Promise<void>;
  submitAssessment(assessment: Assessment): Promise<LoadReceipt>;
  /** Everything that is stored of the reader; undefined when there is nothing. */
  getMyRecords(options?: CallOptions): Promise<PersonalRecords | undefined>;
  /** Takes the reader out of records and numbers, for good. */
  eraseMyRecords(): Promise<void>;
}

/** {@link SpaceApi} */
export const spaceApiRef = createApiRef<SpaceApi>().with({
  id: 'plugin.space.client',
  pluginId: 'space',
});
