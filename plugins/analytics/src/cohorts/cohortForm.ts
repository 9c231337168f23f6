import type {
  Cohort,
  CohortCondition,
  CohortFilters,
  EventCondition,
  NewCohort,
} from '../api/CohortsApi';
import { isComplete, trimmed } from '../filters/propertyFilters';

/** The comparisons for how often users did something. */
export const DIDS = ['gte', 'lte', 'never'] as const;
/** The units of the period in which they did it. */
export const UNITS = ['day', 'week', 'month'] as const;

/** The values of the form of a cohort. */
export interface CohortForm {
  name: string;
  description: string;
  isList: boolean;
  match: 'AND' | 'OR';
  conditions: FormCondition[];
  /** The ids of a new fixed list, one per line. */
  ids: string;
}

/**
 * A condition in the form: a property filter as in the service's API, or an event with
 * numbers as typed.
 */
export type FormCondition =
  Extract<CohortCondition, { type: 'person' }> | EventFields;

/** The fields of a condition on an event. */
export interface EventFields {
  type: 'behavioral';
  key: string;
  did: (typeof DIDS)[number];
  times: string;
  time: string;
  unit: (typeof UNITS)[number];
}

export const NEW_PROPERTY: FormCondition = {
  type: 'person',
  key: '',
  operator: 'exact',
  value: '',
};
export const NEW_EVENT: FormCondition = {
  type: 'behavioral',
  key: '',
  did: 'gte',
  times: '1',
  time: '30',
  unit: 'day',
};

const NONE: CohortFilters['properties'] = { type: 'AND', values: [] };

/** Returns the values of the form for a cohort, or for a new one if it is omitted. */
export function formOf(cohort?: Cohort): CohortForm {
  const { type, values } = cohort?.filters?.properties ?? NONE;
  return {
    name: cohort?.name ?? '',
    description: cohort?.description ?? '',
    isList: cohort?.is_static ?? false,
    match: type,
    conditions: cohort ? values.map(fieldsOf) : [NEW_PROPERTY],
    ids: '',
  };
}

function fieldsOf(condition: CohortCondition): FormCondition {
  if (condition.type === 'person') {
    return condition;
  }
  const { type, key, time_value: time, time_interval: unit } = condition;
  const { did, times } = didOf(condition);
  return { type, key, did, times: String(times), time: String(time), unit };
}

/** Returns how often users did something, resolving the service's negated conditions. */
export function didOf({
  value,
  operator = 'gte',
  operator_value = 1,
  negation,
}: EventCondition): { did: EventFields['did']; times: number } {
  const least = value === 'performed_event' ? 1 : operator_value;
  const isAtMost = value !== 'performed_event' && operator === 'lte';
  if (isAtMost) {
    return negation
      ? { did: 'gte', times: least + 1 }
      : { did: 'lte', times: least };
  }
  if (!negation) {
    return { did: 'gte', times: least };
  }
  return least === 1
    ? { did: 'never', times: 1 }
    : { did: 'lte', times: least - 1 };
}

/** Checks whether a condition is complete and valid. */
export function isPossible(condition: FormCondition): boolean {
  if (condition.type === 'person') {
    return isComplete(condition);
  }
  const { key, did, times, time } = condition;
  return (
    key.trim() !== '' &&
    isCount(time, 3_650) &&
    (did === 'never' || isCount(times, 1_000_000))
  );
}

function isCount(text: string, most: number): boolean {
  return /^\d+$/.test(text.trim()) && Number(text) >= 1 && Number(text) <= most;
}

/** The titles of columns of ids: in files for PostHog, and in files that this page exports. */
const HEADING = 'distinct_id';
const OWN_HEADING = 'id';

/**
 * Returns the distinct ids in a text: one per line, or from the id column of a CSV file, or
 * else from its first column.
 */
export function idsIn(text: string): string[] {
  const [head, ...others] = text.split(/\r?\n/).map(cellsIn);
  const titles = head.map(title => title.toLowerCase());
  const column = [HEADING, OWN_HEADING]
    .map(title => titles.indexOf(title))
    .find(index => index >= 0);
  const lines = column === undefined ? [head, ...others] : others;
  const cells = lines.map(line => line[column ?? 0] ?? '');
  // Exported users may have several ids in one cell.
  const isOwn = column !== undefined && titles[column] === OWN_HEADING;
  const ids = isOwn ? cells.flatMap(cell => cell.split(', ')) : cells;
  return [...new Set(ids.filter(id => id !== ''))];
}

/** Formats ids as a text that {@link idsIn} parses to the same ids. */
export function textOfIds(ids: readonly string[]): string {
  return ids
    .map(id => (/[,"]/.test(id) ? `"${id.replace(/"/g, '""')}"` : id))
    .join('\n');
}

function cellsIn(line: string): string[] {
  return [...line.matchAll(/\s*(?:"((?:[^"]|"")*)"\s*|([^,]*))(?:,|$)/g)].map(
    ([, quoted, plain]) => (quoted?.replace(/""/g, '"') ?? plain ?? '').trim(),
  );
}

/** Returns the conditions of a form; undefined if one of them is not complete. */
export function filtersOfForm({
  match,
  conditions,
}: CohortForm): CohortFilters | undefined {
  return conditions.length > 0 && conditions.every(isPossible)
    ? { properties: { type: match, values: conditions.map(conditionOf) } }
    : undefined;
}

function conditionOf(condition: FormCondition): CohortCondition {
  if (condition.type === 'person') {
    return { ...condition, ...trimmed(condition), type: 'person' };
  }
  const { key, did, times, time, unit } = condition;
  const event: EventCondition = {
    type: 'behavioral',
    key: key.trim(),
    value: 'performed_event',
    time_value: Number(time),
    time_interval: unit,
  };
  if (did === 'never') {
    return { ...event, negation: true };
  }
  return did === 'gte' && Number(times) === 1
    ? event
    : {
        ...event,
        value: 'performed_event_multiple',
        operator: did,
        operator_value: Number(times),
      };
}

/** Returns the new cohort of a form; undefined if something is missing. */
export function cohortOfForm(form: CohortForm): NewCohort | undefined {
  const { name, description, isList, ids } = form;
  const about = { name: name.trim(), description: description.trim() };
  if (about.name === '') {
    return undefined;
  }
  if (isList) {
    const listed = idsIn(ids);
    return listed.length > 0
      ? { ...about, is_static: true, distinct_ids: listed }
      : undefined;
  }
  const filters = filtersOfForm(form);
  return filters && { ...about, is_static: false, filters };
}
