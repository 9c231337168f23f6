import {
  allOf,
  anyOf,
  call,
  COUNT,
  type Expression,
  listOf,
  not,
  type Select,
  valueOf,
} from '../query/language/Expression.ts';
import { PERSON } from '../query/insights/buckets.ts';
import { readOneFilter } from '../query/readFilters.ts';
import type { Clock } from '../query/readPeriod.ts';
import { move, startOf } from '../query/time/zones.ts';
import type { CohortFilters, EventCondition } from './schemas.ts';

interface Place extends Clock {
  readonly projectId: string;
  /** The field of the request that contains the conditions; PostHog's field by default. */
  readonly field?: string;
}

/**
 * Builds the condition that an event belongs to one of some people, given the ids that
 * represent them.
 */
export function isOneOfPeople(people: readonly string[]): Expression {
  return call('in', [PERSON, listOf(people)], 'boolean');
}

/**
 * Builds the condition that an event belongs to a person in a cohort. It is evaluated as
 * part of the query that uses it.
 * @throws InvalidRequestError naming the field of an invalid condition.
 */
export function meetsConditions(
  { properties: { type, values } }: CohortFilters,
  place: Place,
): Expression {
  const conditions = values.map((condition, index) => {
    const { negation: isNegated } = condition;
    const { field: group = 'filters.properties' } = place;
    const field = `${group}.values.${index}`;
    if (condition.type === 'behavioral') {
      return didEvent(condition, place);
    }
    const met = readOneFilter(condition, field, place);
    return isNegated ? not(met) : met;
  });
  return type === 'OR' ? anyOf(conditions) : allOf(conditions);
}

/**
 * Builds the condition that a person did an event in a period, whose days are as in
 * insights: today, and the days before it.
 */
function didEvent(condition: EventCondition, place: Place): Expression {
  const { key, value, time_value: time, time_interval: unit } = condition;
  const isMultiple = value === 'performed_event_multiple';
  const times = isMultiple ? (condition.operator_value ?? 1) : 1;
  const atMost = isMultiple && condition.operator === 'lte';
  const { now, calendar, projectId } = place;
  const moved = move(now, unit, { steps: -time, zone: calendar.zone });
  const since = startOf(moved, 'day', calendar);
  const today = startOf(now, 'day', calendar);
  const select: Select = {
    kind: 'select',
    from: {
      kind: 'events',
      projectId,
      events: [key],
      // Engines cannot represent times long before 1970.
      ...(since > 0 && { after: since - 1 }),
      before: move(today, 'day', { steps: 1, zone: calendar.zone }),
    },
    columns: [PERSON],
    where: [],
    groupBy: [PERSON],
    having: [
      call(
        atMost ? 'greater' : 'greaterOrEquals',
        [COUNT, valueOf(times)],
        'boolean',
      ),
    ],
  };
  // People without the event are not in the list, but meet every "at most" condition; so
  // that one is negated.
  const isOutside = atMost !== (condition.negation ?? false);
  return call(
    isOutside ? 'notIn' : 'in',
    [PERSON, { kind: 'query', select, of: 'text' }],
    'boolean',
  );
}
