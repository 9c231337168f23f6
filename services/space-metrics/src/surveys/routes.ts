import { isoOf } from '@slipway/entity-contract';
import {
  type Access,
  type Caller,
  InvalidRequestError,
  type ServiceApp,
} from '@slipway/service-kit';
import { DateTime } from 'luxon';
import { Type } from 'typebox';
import type { Attribution } from '../people/Attribution.ts';
import { type PersonHasher, submitterOf } from '../people/person.ts';
import { cycleOf, localDayOf, startOf } from '../periods/LocalDay.ts';
import { UserId } from '../schemas.ts';
import { dueAt, isDue, type ReminderState } from './Reminder.ts';
import {
  PulseReceipt,
  PulseSubmission,
  ReminderAnswer,
  ReminderChange,
  toSurvey,
} from './schemas.ts';
import type { DatabaseReminderStore } from './storage/DatabaseReminderStore.ts';
import type { DatabaseSurveyStore } from './storage/DatabaseSurveyStore.ts';

/** Adds the routes that accept pulse surveys. */
export function surveyRoutes(
  app: ServiceApp,
  options: {
    access: Access;
    attribution: Attribution;
    surveys: DatabaseSurveyStore;
  },
): void {
  const { access, attribution, surveys } = options;
  app.post(
    '/api/v1/surveys/pulse/submit',
    {
      config: { access },
      schema: {
        tags: ['surveys'],
        summary: 'Submit a pulse survey',
        body: PulseSubmission,
        response: { 201: PulseReceipt },
      },
    },
    async (request, reply) => {
      const { body, caller } = request;
      const survey = toSurvey(body, await attribution.of(caller, body));
      await surveys.add(survey);
      reply.code(201);
      return {
        status: 'success',
        survey_id: survey.id,
        message:
          'Your latest answers are counted. They are only ever shown as part of a group.',
      };
    },
  );
}

/** Maximum number of days of a snooze; a longer one should be requested as an opt-out. */
const LONGEST_SNOOZE_DAYS = 366;

/**
 * Adds the routes with which callers read when their pulse survey is due, and snooze it or opt out.
 */
export function reminderRoutes(
  app: ServiceApp,
  options: {
    access: Access;
    hasher: PersonHasher;
    reminders: DatabaseReminderStore;
    cadenceDays: number;
    timeZone: string;
    now: () => Date;
  },
): void {
  const { access, hasher, reminders, cadenceDays, timeZone, now } = options;
  const path = '/api/v1/surveys/pulse/reminder';
  const hashOf = (caller: Caller, userId: string | undefined) =>
    hasher.hash(submitterOf(caller, requireUser(caller, userId)));
  const answer = (state: ReminderState) =>
    present(state, { cadenceDays, timeZone, now: now().getTime() });

  app.get(
    path,
    {
      config: { access },
      schema: {
        tags: ['surveys'],
        summary: 'Check whether a pulse survey is due',
        querystring: Type.Object({ user_id: Type.Optional(UserId) }),
        response: { 200: ReminderAnswer },
      },
    },
    async ({ caller, query }) =>
      answer(await reminders.get(hashOf(caller, query.user_id))),
  );

  app.put(
    path,
    {
      config: { access },
      schema: {
        tags: ['surveys'],
        summary: 'Snooze or turn off the reminder',
        body: ReminderChange,
        response: { 200: ReminderAnswer },
      },
    },
    async ({ caller, body }) => {
      const { user_id, snoozed_until: snoozed, opted_out: optedOut } = body;
      const hash = hashOf(caller, user_id);
      await reminders.change(hash, {
        ...(snoozed !== undefined && {
          snoozedUntil: snoozed === null ? null : readSnooze(snoozed, now()),
        }),
        ...(optedOut !== undefined && { optedOut }),
      });
      return answer(await reminders.get(hash));
    },
  );
}

function requireUser(caller: Caller, userId: string | undefined): string {
  if (userId === undefined && caller.kind !== 'user') {
    throw new InvalidRequestError('user_id is required with an API key', {
      field: 'user_id',
      constraint: 'required',
    });
  }
  return userId ?? '';
}

function readSnooze(text: string, now: Date): number {
  const until = DateTime.fromISO(text, { zone: 'utc' });
  const latest = DateTime.fromJSDate(now).plus({ days: LONGEST_SNOOZE_DAYS });
  if (!until.isValid || until > latest) {
    throw new InvalidRequestError(
      'snoozed_until must be an ISO 8601 timestamp within a year',
      {
        field: 'snoozed_until',
        constraint: until.isValid ? 'maximum' : 'format',
      },
    );
  }
  return until.toMillis();
}

function present(
  state: ReminderState,
  options: { cadenceDays: number; timeZone: string; now: number },
) {
  const { cadenceDays, timeZone, now } = options;
  const { end } = cycleOf(localDayOf(now, timeZone), cadenceDays);
  return {
    due: isDue(state, options),
    due_at: isoOf(dueAt(state, options)),
    last_answered_at: isoOf(state.lastAnsweredAt),
    snoozed_until: isoOf(state.snoozedUntil),
    opted_out: state.optedOut,
    cadence_days: cadenceDays,
    closes_at: isoOf(startOf(end, timeZone)),
  };
}
