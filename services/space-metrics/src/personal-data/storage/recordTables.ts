import { isoOf } from '@slipway/entity-contract';
import type { Database } from '@slipway/service-kit';
import type { Knex } from 'knex';
import {
  type ActivityEvent,
  contributionOfEvent,
} from '../../activity/ActivityEvent.ts';
import {
  contributionOfLoad,
  type Scores,
  scoresOf,
} from '../../cognitive-load/CognitiveLoad.ts';
import { contributionOfFriction } from '../../friction/FrictionLog.ts';
import { type LocalDay, localDayOf } from '../../periods/LocalDay.ts';
import type { Contribution } from '../../records/Contribution.ts';
import { spansOf } from '../../records/storage/presence.ts';
import { countRevision } from '../../storage/sql.ts';
import { contributionOfSurveyRow } from '../../surveys/storage/DatabaseSurveyStore.ts';

/** All data stored about a person, as presented to that person. Times are UTC. */
export interface PersonRecords {
  surveys: {
    survey_id: string;
    timestamp: string;
    team: string;
    responses: {
      overall_satisfaction: number;
      productivity_this_week: number;
      recommend?: number;
      blockers: string;
      wins: string;
    };
  }[];
  friction_logs: {
    friction_id: string;
    timestamp: string;
    team: string;
    category: string;
    severity: string;
    time_lost_minutes: number;
    description: string;
  }[];
  cognitive_loads: {
    assessment_id: string;
    timestamp: string;
    team: string;
    task: string;
    scores: Scores;
  }[];
  activity: {
    source: string;
    id: string;
    kind: string;
    timestamp: string;
    team: string;
    count: number;
  }[];
}

/** The number of records of each kind. */
export type RecordCounts = Record<keyof PersonRecords, number>;

type Row = Record<string, unknown>;

/** A table whose rows belong to people. */
export interface RecordTable<T = unknown> {
  readonly name: string;
  /** Converts a row to the format shown to its person. */
  present(row: Row): T;
  /** Returns the row's contribution to the numbers, so that it can be subtracted. */
  contribution(row: Row, person: number): Contribution;
}

/** All tables with records of people; add new ones here. */
export const recordTables: {
  readonly [K in keyof PersonRecords]: RecordTable<PersonRecords[K][number]>;
} = {
  surveys: {
    name: 'pulse_surveys',
    present: row => ({
      survey_id: String(row.id),
      ...origin(row),
      responses: {
        overall_satisfaction: Number(row.overall_satisfaction),
        productivity_this_week: Number(row.productivity_this_week),
        ...(row.recommend !== null && { recommend: Number(row.recommend) }),
        blockers: String(row.blockers),
        wins: String(row.wins),
      },
    }),
    contribution: contributionOfSurveyRow,
  },
  friction_logs: {
    name: 'friction_logs',
    present: row => ({
      friction_id: String(row.id),
      ...origin(row),
      category: String(row.category),
      severity: String(row.severity),
      time_lost_minutes: Number(row.time_lost_minutes),
      description: String(row.description),
    }),
    contribution: row => contributionOfFriction(place(row)),
  },
  cognitive_loads: {
    name: 'cognitive_loads',
    present: row => ({
      assessment_id: String(row.id),
      ...origin(row),
      task: String(row.task),
      scores: scoresOf(row),
    }),
    contribution: (row, person) =>
      contributionOfLoad({ ...place(row), scores: scoresOf(row) }, person),
  },
  activity: {
    name: 'activity_events',
    present: row => ({
      source: String(row.source),
      id: String(row.event_id),
      kind: String(row.kind),
      ...origin(row),
      count: Number(row.amount),
    }),
    contribution: (row, person) =>
      contributionOfEvent(
        {
          ...place(row),
          kind: row.kind as ActivityEvent['kind'],
          amount: Number(row.amount),
          ...(row.result !== null && {
            result: row.result as ActivityEvent['result'],
          }),
        },
        person,
      ),
  },
};

function place(row: Row): { team: string; day: number } {
  return { team: String(row.team), day: Number(row.day) };
}

function origin(row: Row): { timestamp: string; team: string } {
  return {
    timestamp: isoOf(Number(row.occurred_at)),
    team: String(row.team),
  };
}

/**
 * Deletes records and numbers after their retention period, and people who have no other stored
 * data.
 *
 * @param options.days - the retention period.
 */
export async function deleteOldRecords(
  database: Database,
  options: { days: number; timeZone: string; now: Date },
): Promise<void> {
  const { days, timeZone, now } = options;
  const first = localDayOf(now.getTime(), timeZone) - days;
  await database.transaction(async trx => {
    for (const { name } of Object.values(recordTables)) {
      await trx(name).where('day', '<', first).delete();
    }
    await trx('daily_totals').where('day', '<', first).delete();
    await trx('joiners').where('day', '<', first).delete();
    await forgetBatches(trx, first);
    await forgetSpans(trx, first);
    const forgotten = await trx('people')
      .where('first_commit_day', '<', first)
      .update({
        first_commit_at: null,
        first_commit_day: null,
        first_commit_team: null,
      });
    if (forgotten > 0) {
      await countRevision(trx, 'first_commits');
    }
  });
  await database.transaction(trx => forgetPeople(trx, now.getTime()));
}

/** Deletes people without records and without a choice about reminders. */
async function forgetPeople(trx: Knex.Transaction, now: number): Promise<void> {
  const idle = trx('people')
    .select('id')
    .where({ reminder_opted_out: false })
    .whereNull('first_commit_day')
    .where(snooze =>
      snooze
        .whereNull('reminder_snoozed_until')
        .orWhere('reminder_snoozed_until', '<', now),
    );
  const names = Object.values(recordTables).map(({ name }) => name);
  for (const table of [...names, 'joiners']) {
    idle.whereNotExists(trx(table).whereRaw('person = people.id'));
  }
  if (trx.client.config.client === 'pg') {
    // Skips people who are submitting right now; SQLite has a single writer.
    idle.forUpdate().skipLocked();
  }
  await trx('people').whereIn('id', idle).delete();
}

async function forgetBatches(
  trx: Knex.Transaction,
  first: LocalDay,
): Promise<void> {
  const old = trx('released').where('day', '<', first);
  await trx('released_texts')
    .whereIn('batch', old.clone().select('batch'))
    .delete();
  await old.delete();
}

async function forgetSpans(
  trx: Knex.Transaction,
  first: LocalDay,
): Promise<void> {
  const [{ span, days }] = spansOf({ from: first, to: first + 30 });
  await trx('presence_spans').where('span', '<', span).delete();
  await trx('presence_spans')
    .where({ span })
    .update({ days: trx.raw('days & ?', [days]) });
  await trx('presence_spans').where({ span, days: 0 }).delete();
}
