import type { Reminder, TopFriction } from './types';

/** Answer of `GET /api/v1/friction-log/top`. */
export interface FrictionAnswer {
  minimum_group_size: number;
  items: {
    category: string;
    entries: number;
    reporters: number;
    time_lost_minutes: number;
    texts: { description: string }[];
  }[];
}

/** Answer of `/api/v1/surveys/pulse/reminder`. */
export interface ReminderAnswer {
  due: boolean;
  due_at: string | null;
  last_answered_at: string | null;
  snoozed_until: string | null;
  opted_out: boolean;
  cadence_days: number;
}

export function readFriction(answer: FrictionAnswer): TopFriction {
  return {
    minimumGroupSize: answer.minimum_group_size,
    items: answer.items.map(
      ({ time_lost_minutes: minutesLost, texts, ...item }) => ({
        ...item,
        minutesLost,
        texts: texts.map(({ description }) => description),
      }),
    ),
  };
}

export function readReminder(answer: ReminderAnswer): Reminder {
  return {
    due: answer.due,
    dueAt: answer.due_at,
    lastAnsweredAt: answer.last_answered_at,
    snoozedUntil: answer.snoozed_until,
    optedOut: answer.opted_out,
    cadenceDays: answer.cadence_days,
  };
}
