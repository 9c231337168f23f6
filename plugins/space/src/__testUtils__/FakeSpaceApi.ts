import { ResponseError } from '@backstage/errors';
import {
  type Assessment,
  type AssessmentForm,
  type DimensionName,
  type DimensionReport,
  DIMENSIONS,
  type Friction,
  type Granularity,
  type LoadReceipt,
  type PersonalRecords,
  type Pulse,
  type Reminder,
  type ReminderChange,
  type SpaceApi,
  type SpaceQuery,
  type TopFriction,
  type Values,
} from '../api/SpaceApi';
import { aReminder, aReport, assessmentForm, someFriction } from './reports';

/** An in-memory service: tests change its data, pages read it. */
export class FakeSpaceApi implements SpaceApi {
  teams = ['checkout', 'payments'];
  reports: Record<DimensionName, DimensionReport> = Object.fromEntries(
    DIMENSIONS.map(name => [name, aReport(name)]),
  ) as Record<DimensionName, DimensionReport>;
  /** Values of the previous period. */
  values: Values = {
    avg_rating: 3.6,
    lead_time_hours: 17,
    commits_per_week: 20,
  };
  friction: TopFriction = someFriction();
  reminder: Reminder = aReminder();
  records: PersonalRecords | undefined = {
    surveys: [
      {
        survey_id: 'survey_1',
        timestamp: '2026-11-06T10:00:00.000Z',
        responses: {
          overall_satisfaction: 4,
          productivity_this_week: 3,
          recommend: 9,
          blockers: 'Slow reviews',
          wins: '',
        },
      },
    ],
    friction_logs: [
      {
        friction_id: 'friction_1',
        timestamp: '2026-11-05T10:00:00.000Z',
        category: 'build',
        severity: 'high',
        time_lost_minutes: 90,
        description: 'The cache was empty',
      },
    ],
    cognitive_loads: [],
    activity: [],
  };
  /** Every query for numbers, in order. */
  readonly asked: { method: keyof SpaceApi; query: SpaceQuery }[] = [];
  /** Submitted surveys, in order. */
  readonly pulses: Pulse[] = [];
  readonly frictionLogs: Friction[] = [];
  readonly assessments: Assessment[] = [];
  readonly #refusals = new Map<keyof SpaceApi, ResponseError>();

  /**
   * Makes every call of a method fail with an error response of the service, until {@link recover}.
   */
  async refuse(
    method: keyof SpaceApi,
    refusal: { status: number; message: string },
  ): Promise<void> {
    const { status, message } = refusal;
    const body = {
      error: { name: 'Error', message },
      response: { statusCode: status },
    };
    const headers = { 'x-request-id': 'req-42' };
    this.#refusals.set(
      method,
      await ResponseError.fromResponse(
        Response.json(body, { status, headers }),
      ),
    );
  }

  recover(): void {
    this.#refusals.clear();
  }

  async getTeams(): Promise<string[]> {
    return this.#answer('getTeams', this.teams);
  }

  async getValues(query: SpaceQuery): Promise<Values> {
    this.asked.push({ method: 'getValues', query });
    return this.#answer('getValues', this.values);
  }

  async getDimension(
    name: DimensionName,
    query: SpaceQuery & { granularity: Granularity },
  ): Promise<DimensionReport> {
    this.asked.push({ method: 'getDimension', query });
    return this.#answer('getDimension', this.reports[name]);
  }

  async getTopFriction(query: SpaceQuery): Promise<TopFriction> {
    this.asked.push({ method: 'getTopFriction', query });
    return this.#answer('getTopFriction', this.friction);
  }

  async getAssessmentForm(): Promise<AssessmentForm> {
    return this.#answer('getAssessmentForm', assessmentForm);
  }

  async getReminder(): Promise<Reminder> {
    return this.#answer('getReminder', this.reminder);
  }

  async changeReminder(change: ReminderChange): Promise<Reminder> {
    this.#answer('changeReminder', undefined);
    const { optedOut = this.reminder.optedOut } = change;
    const { snoozedUntil = this.reminder.snoozedUntil } = change;
    const dueAt = snoozedUntil ?? this.reminder.dueAt;
    const due = !optedOut && snoozedUntil === null;
    this.reminder = { ...this.reminder, optedOut, snoozedUntil, dueAt, due };
    return this.reminder;
  }

  async submitPulse(pulse: Pulse): Promise<void> {
    this.#answer('submitPulse', undefined);
    this.pulses.push(pulse);
    this.reminder = { ...this.reminder, due: false };
  }

  async submitFriction(friction: Friction): Promise<void> {
    this.#answer('submitFriction', undefined);
    this.frictionLogs.push(friction);
  }

  async submitAssessment(assessment: Assessment): Promise<LoadReceipt> {
    this.#answer('submitAssessment', undefined);
    this.assessments.push(assessment);
    const scores = Object.values(assessment.scores);
    const sum = scores.reduce((total, score) => total + score, 0);
    return { cognitiveLoadIndex: sum / scores.length };
  }

  async getMyRecords(): Promise<PersonalRecords | undefined> {
    return this.#answer('getMyRecords', this.records);
  }

  async eraseMyRecords(): Promise<void> {
    this.#answer('eraseMyRecords', undefined);
    this.records = undefined;
  }

  #answer<T>(method: keyof SpaceApi, answer: T): T {
    const refusal = this.#refusals.get(method);
    if (refusal) {
      throw refusal;
    }
    return answer;
  }
}
