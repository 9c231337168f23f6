import { type InsightQuery, LIFECYCLE_STATUSES } from '../api/InsightQuery';
import type { ActorsSource } from '../api/PeopleApi';

/** Selects one of the numbers of an insight. */
interface Selection extends Omit<ActorsSource, 'kind' | 'source'> {
  /** The start of a row of a retention, or of the interval whose index is `day`; only for display. */
  date?: string;
  /** The ends of a move between two places, named as in paths. */
  pathStartKey?: string;
  pathEndKey?: string;
}

/** A number of a chart whose people are listed, with the date for the title. */
export interface SelectedNumber {
  of: ActorsSource;
  date?: string;
}

/** Returns the address of the list of the people behind a number. */
export type PeopleLink = (selection: Selection) => string;

const NUMBERS = [
  'series',
  'day',
  'funnelStep',
  'interval',
  'returnInterval',
] as const;
const VALUES = ['breakdown', 'funnelStepBreakdown'] as const;
const TIMES = ['day', 'date'] as const;
const PLACES = ['pathStartKey', 'pathEndKey'] as const;

/** Formats a selection as a text for the URL. */
export function textOfSelection(selection: Selection): string {
  return JSON.stringify(selection);
}

/**
 * Parses the text of {@link textOfSelection}.
 *
 * @returns undefined if the text is invalid, or is not for an insight of this kind.
 */
export function readSelection(
  text: string,
  query: InsightQuery,
): SelectedNumber | undefined {
  const value = parse(text);
  if (!value || !hasPeople(query)) {
    return undefined;
  }
  const selection = selectionOf(value);
  const { date, pathStartKey, pathEndKey, ...number } = selection;
  const kind =
    query.kind === 'FunnelsQuery' ? 'FunnelsActorsQuery' : 'InsightActorsQuery';
  const source =
    query.kind === 'PathsQuery'
      ? {
          ...query,
          pathsFilter: { ...query.pathsFilter, pathStartKey, pathEndKey },
        }
      : query;
  return kindsOf(selection).includes(query.kind)
    ? { of: { kind, source, ...number }, ...(date && { date }) }
    : undefined;
}

/** Checks whether the service can list the people behind the numbers of a query. */
export function hasPeople(query: InsightQuery): boolean {
  const { kind, aggregation_group_type_index: group, breakdownFilter } = query;
  if (group !== undefined && group !== null) {
    return false;
  }
  switch (kind) {
    case 'LifecycleQuery':
    case 'PathsQuery':
    case 'StickinessQuery':
    case 'TrendsQuery':
      return true;
    case 'FunnelsQuery':
      return !query.funnelsFilter?.funnelAggregateByHogQL;
    case 'RetentionQuery': {
      // The values of several properties are joined in the result.
      const { breakdown = [], breakdowns = [] } = breakdownFilter ?? {};
      return (
        breakdownFilter?.breakdown_type === 'cohort' ||
        Math.max([breakdown].flat().length, breakdowns.length) <= 1
      );
    }
    default:
      return false;
  }
}

/** Returns the kinds of insights that have such a number. */
function kindsOf(selection: Selection): string[] {
  const { funnelStep, interval, status, day } = selection;
  const { pathStartKey, pathEndKey } = selection;
  if (funnelStep !== undefined) {
    return ['FunnelsQuery'];
  }
  if (interval !== undefined) {
    return ['RetentionQuery'];
  }
  if (status !== undefined) {
    return ['LifecycleQuery'];
  }
  if (pathStartKey !== undefined && pathEndKey !== undefined) {
    return ['PathsQuery'];
  }
  // Trends use the index of an interval if another one has the same name.
  return typeof day === 'string'
    ? ['TrendsQuery']
    : ['StickinessQuery', 'TrendsQuery'];
}

function selectionOf(value: Record<string, unknown>): Selection {
  const selection: Selection = {};
  for (const name of NUMBERS) {
    const number = value[name];
    if (Number.isInteger(number)) {
      selection[name] = number as number;
    }
  }
  for (const name of VALUES) {
    const named = value[name];
    if (typeof named === 'string' || isTexts(named) || isId(named)) {
      selection[name] = named;
    }
  }
  for (const name of TIMES) {
    const time = value[name];
    if (typeof time === 'string' && isTime(time)) {
      selection[name] = time;
    }
  }
  for (const name of PLACES) {
    const place = value[name];
    if (typeof place === 'string') {
      selection[name] = place;
    }
  }
  const status = LIFECYCLE_STATUSES.find(each => each === value.status);
  if (status) {
    selection.status = status;
  }
  if (value.compare === 'current' || value.compare === 'previous') {
    selection.compare = value.compare;
  }
  return selection;
}

/** Checks whether a text begins with a day such as `2026-11-20`; other texts cannot be shown. */
function isTime(text: string): boolean {
  const [day] = /^\d{4}-\d{2}-\d{2}/.exec(text) ?? [];
  return day !== undefined && !Number.isNaN(Date.parse(day));
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every(each => typeof each === 'string');
}

/** Checks whether a value may be the id of a cohort. */
function isId(value: unknown): value is number {
  return Number.isInteger(value);
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
