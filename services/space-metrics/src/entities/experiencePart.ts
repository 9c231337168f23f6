import {
  type EntityScope,
  type EntitySummary,
  figure,
  isoOf,
  type Need,
} from '@slipway/entity-contract';
import type { Caller, EntityPart } from '@slipway/service-kit';
import type { ReportCache } from '../metrics/ReportCache.ts';
import type { Reading } from '../metrics/Dimension.ts';
import type { SpaceMetrics } from '../metrics/SpaceMetrics.ts';
import type { PersonHasher } from '../people/person.ts';
import { normaliseTeam } from '../people/team.ts';
import { type Period, previousPeriod } from '../periods/Period.ts';
import { PULSE_REMINDER } from '../surveys/PulseReminders.ts';
import { dueAt, isDue } from '../surveys/Reminder.ts';
import type { DatabaseReminderStore } from '../surveys/storage/DatabaseReminderStore.ts';

const PERIOD_DAYS = 30;
const DAY_MS = 86_400_000;

interface Readings {
  satisfaction: Reading;
  efficiency: Reading;
}

/**
 * Reports how the team that owns an entity experiences its work, using numbers that every user may
 * read, and whether the caller's own survey is due.
 */
export function experiencePart(options: {
  metrics: SpaceMetrics;
  cache: ReportCache;
  hasher: PersonHasher;
  reminders: DatabaseReminderStore;
  cadenceDays: number;
  /** True if due surveys are announced by notifications. */
  notifies: boolean;
  /** Returns the current day in the reporting time zone. */
  today: () => number;
  now: () => number;
}): EntityPart {
  const { metrics, cache, hasher, reminders, cadenceDays, today, now } =
    options;
  const { notifies } = options;

  async function read(team: string, period: Period): Promise<Readings> {
    const [satisfaction, efficiency] = await Promise.all([
      metrics.current('satisfaction', { team, period }),
      metrics.current('efficiency', { team, period }),
    ]);
    return { satisfaction, efficiency };
  }

  async function factsOf(ref: string): Promise<EntitySummary['facts']> {
    const team = normaliseTeam(ref);
    const period = { start: today() - PERIOD_DAYS, end: today() + 1 };
    const text = await cache.get(
      JSON.stringify(['entity', team, period.start]),
      async () =>
        JSON.stringify(
          await Promise.all([
            read(team, period),
            read(team, previousPeriod(period)),
          ]),
        ),
    );
    const [current, previous] = JSON.parse(text) as [Readings, Readings];
    return figuresOf(team, current, previous);
  }

  async function needsOf(scope: EntityScope, caller: Caller): Promise<Need[]> {
    if (scope.kind !== 'user' || caller.kind !== 'user') {
      return [];
    }
    const state = await reminders.get(hasher.hash(caller.id));
    const rule = { cadenceDays, now: now() };
    const due = dueAt(state, rule);
    if (due === undefined || !isDue(state, rule)) {
      return [];
    }
    // For people who have never answered, the survey has always been due.
    const since = state.lastAnsweredAt ?? 0;
    return [
      {
        key: `survey:${since}:${Math.floor(due / DAY_MS / cadenceDays)}`,
        kind: 'survey-due',
        title: 'The pulse survey is due',
        detail: 'Two questions, shown to others only as numbers of a group',
        at: isoOf(due),
        tone: 'warning',
        page: '/experience/pulse',
        action: 'Answer survey',
        ...(notifies && { notified: true, scope: PULSE_REMINDER.scope }),
      },
    ];
  }

  return {
    async summary(scope, caller): Promise<EntitySummary> {
      const [team] = scope.teams;
      const needs = await needsOf(scope, caller);
      if (team === undefined) {
        return {
          state: 'unconnected',
          message: 'Name a group as its owner.',
          page: '/experience',
          facts: [],
          needs,
        };
      }
      const facts = await factsOf(team);
      return {
        state: facts.some(({ value }) => value !== null) ? 'good' : 'quiet',
        page: pageOf(normaliseTeam(team)),
        facts,
        needs,
      };
    },

    timeline: async () => [],
  };
}

function figuresOf(
  team: string,
  current: Readings,
  previous: Readings,
): EntitySummary['facts'] {
  const value = (
    readings: Readings,
    dimension: keyof Readings,
    { field, sample }: { field: string; sample: string },
  ) =>
    readings[dimension].samples[sample] > 0
      ? readings[dimension].values[field]
      : null;
  const both = (
    dimension: keyof Readings,
    names: { field: string; sample: string },
  ) => ({
    value: value(current, dimension, names),
    previous: value(previous, dimension, names),
  });
  const responses = { sample: 'responses' };
  return [
    figure({
      id: 'enps',
      label: 'eNPS (30 d)',
      kind: 'count',
      ...both('satisfaction', { field: 'enps_score', ...responses }),
      scale: 'score',
      better: 'higher',
      page: pageOf(team),
    }),
    figure({
      id: 'satisfaction',
      label: 'Satisfaction (30 d)',
      kind: 'count',
      unit: 'of 5',
      ...both('satisfaction', { field: 'avg_rating', ...responses }),
      scale: 'rating',
      better: 'higher',
      page: pageOf(team),
    }),
    figure({
      id: 'task-load',
      label: 'Task load (30 d)',
      kind: 'count',
      unit: 'of 100',
      ...both('efficiency', {
        field: 'cognitive_load_index',
        sample: 'assessments',
      }),
      scale: 'load',
      better: 'lower',
      page: pageOf(team),
    }),
  ];
}

function pageOf(team: string): string {
  return `/experience?team=${encodeURIComponent(team)}`;
}
