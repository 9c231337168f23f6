import {
  type ActivityEvent,
  contributionOfEvent,
} from '../../activity/ActivityEvent.ts';
import {
  SCALES,
  type Scores,
  contributionOfLoad,
} from '../../cognitive-load/CognitiveLoad.ts';
import { contributionOfFriction } from '../../friction/FrictionLog.ts';
import type { Contribution } from '../../records/Contribution.ts';
import { contributionOfSurveyRow } from '../../surveys/storage/DatabaseSurveyStore.ts';
import type { PersonRecords } from '../PersonRecords.ts';

type Row = Record<string, unknown>;

/** A table whose rows belong to people. */
export interface RecordTable<T = unknown> {
  readonly name: string;
  /** Writes a row as its person is shown it. */
  present(row: Row): T;
  /** What it added to the numbers, to be taken back. */
  contribution(row: Row, person: number): Contribution;
}

/** Every table that holds records of people: whoever adds one adds it here. */
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
    timestamp: new Date(Number(row.occurred_at)).toISOString(),
    team: String(row.team),
  };
}

function scoresOf(row: Row): Scores {
  return Object.fromEntries(
    SCALES.map(scale => [scale, Number(row[scale])]),
  ) as Record<(typeof SCALES)[number], number>;
}
