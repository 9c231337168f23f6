import { fault } from '../faults.ts';
import { anyOf, type Expression, not } from '../language/Expression.ts';
import type { InsightContext } from '../QueryContext.ts';
import type { InsightAnswer, Kind, Query } from '../schemas.ts';
import type { SelectedNumber } from './selectedNumber.ts';

/** The value for all users, named as in PostHog. */
const ALL = 'all';
/** The value for all users who are in none of the cohorts of the breakdown. */
const OTHERS = 'others';
const NAMES: Readonly<Record<string, string>> = {
  [ALL]: 'All users',
  [OTHERS]: 'All other users',
};

/** Maximum lines of a result; each takes its own query. */
const MOST_LINES = 50;
/** Maximum cohorts computed concurrently: as many queries as the smallest engine runs. */
const AT_ONCE = 2;
/** Milliseconds after which no further cohort is started: callers give up soon after. */
const LONGEST_MS = 20_000;
const FIELD = 'query.breakdownFilter.breakdown';

/** Users whose numbers are shown separately; a user may belong to several parts. */
interface Part {
  /** The id of a cohort, {@link ALL} or {@link OTHERS}. */
  readonly value: number | string;
  readonly name: string;
  /** The condition that an event belongs to one of these users; none for all users. */
  readonly among: readonly Expression[];
}

/** A line of trends, or the result of a formula, which has no action. */
interface Line {
  readonly label: string;
  readonly action?: { readonly order: number } | null;
  readonly order?: number;
}

/** Labels the results of a part's query with its name and value, as PostHog does for the kind of insight. */
type Present = (
  results: readonly unknown[],
  part: Part,
  query: Query,
) => unknown[];

const PRESENT: Readonly<Partial<Record<Kind, Present>>> = {
  TrendsQuery(results, { name, value }) {
    const lines = results as readonly Line[];
    const orders = lines.map(({ action, order }) => action?.order ?? order);
    const isOnly = new Set(orders).size === 1;
    return lines.map(line => ({
      ...line,
      label: isOnly ? name : `${line.label} - ${name}`,
      breakdown_value: value,
    }));
  },
  FunnelsQuery(results, { name, value }, { funnelsFilter }) {
    const parts = results as readonly object[];
    return funnelsFilter?.funnelVizType === 'trends'
      ? parts.map(line => ({ ...line, breakdown_value: name }))
      : [
          parts.map(step => ({
            ...step,
            breakdown: name,
            breakdown_value: value,
          })),
        ];
  },
  RetentionQuery(results, { value }) {
    return (results as readonly object[]).map(row => ({
      ...row,
      breakdown_value: String(value),
    }));
  },
};

/**
 * Computes an insight once for each cohort of its breakdown, and concatenates the results.
 * Without a breakdown by cohorts, computes it as it is.
 * @throws InvalidRequestError if a value of the breakdown is not a cohort, or its cohorts
 *   take too long together.
 */
export async function answerByCohort(
  query: Query,
  context: InsightContext,
  answer: (query: Query, context: InsightContext) => Promise<InsightAnswer>,
): Promise<InsightAnswer> {
  const parts = readParts(query, context);
  const present = PRESENT[query.kind];
  if (!parts || !present) {
    return answer(query, context);
  }
  const asked = withoutBreakdown(query);
  const compute = async (part: Part) => {
    const { results } = await answer(asked, within(part, context));
    return present(results, part, query);
  };
  const begun = performance.now();
  const all: unknown[] = [];
  const atOnce = partsAtOnce(query);
  for (let at = 0; at < parts.length; at += atOnce) {
    if (performance.now() - begun > LONGEST_MS) {
      // The caller would not wait for the result, but the engine would still compute it.
      throw fault(
        FIELD,
        'takes too long: choose fewer cohorts or a shorter period',
        'cost',
      );
    }
    const found = await Promise.all(parts.slice(at, at + atOnce).map(compute));
    all.push(...found.flat());
  }
  return { results: all, hasMore: false };
}

/** Returns how many parts to compute at the same time, without filling the engine's queue. */
function partsAtOnce({ kind, series = [] }: Query): number {
  // Trends already query all their series concurrently.
  return kind === 'TrendsQuery' && series.length > 1 ? 1 : AT_ONCE;
}

/**
 * Replaces the selected cohort of a breakdown with the condition that people are in it.
 * Changes nothing if the query has no breakdown by cohorts.
 * @throws InvalidRequestError if the breakdown does not have the selected value.
 */
export function selectCohort(
  { query, source }: SelectedNumber,
  context: InsightContext,
): { selected: SelectedNumber; context: InsightContext } {
  const parts = readParts(query, context);
  if (!parts) {
    return { selected: { query, source }, context };
  }
  const name =
    source.kind === 'FunnelsActorsQuery' ? 'funnelStepBreakdown' : 'breakdown';
  const value = source[name];
  const part = parts.find(each => String(each.value) === String(value));
  if (value !== undefined && !part) {
    throw fault(`query.source.${name}`, 'is not in the breakdown', 'enum');
  }
  return {
    selected: {
      query: withoutBreakdown(query),
      source: {
        ...source,
        breakdown: undefined,
        funnelStepBreakdown: undefined,
      },
    },
    context: part ? within(part, context) : context,
  };
}

/** Removes the cohorts; other fields remain, so that unsupported ones are still rejected. */
function withoutBreakdown({ breakdownFilter, ...query }: Query): Query {
  const {
    breakdown: _ids,
    breakdown_type: _type,
    ...others
  } = breakdownFilter ?? {};
  return { ...query, breakdownFilter: others };
}

function within({ among }: Part, context: InsightContext): InsightContext {
  return { ...context, among };
}

/** Parses a breakdown by cohorts; undefined if a query has none. */
function readParts(
  query: Query,
  { cohorts }: InsightContext,
): Part[] | undefined {
  const { kind, breakdownFilter = {}, funnelsFilter, series = [] } = query;
  const { breakdown = [], breakdown_type: type, breakdowns } = breakdownFilter;
  const values = [breakdown].flat();
  const isOfCohorts = type === 'cohort' && !breakdowns?.length;
  const isEmpty = values.every(value => value === '');
  if (!isOfCohorts || isEmpty || !PRESENT[kind]) {
    return undefined;
  }
  const shape = funnelsFilter?.funnelVizType;
  if (kind === 'FunnelsQuery' && shape === 'time_to_convert') {
    throw fault('query.breakdownFilter', `cannot be used with ${shape}`);
  }
  if (kind === 'TrendsQuery' && series.length * values.length > MOST_LINES) {
    throw fault(FIELD, `makes more than ${MOST_LINES} lines`, 'maximum');
  }
  const named = values.flatMap((value, index) => {
    if (value === '') {
      return [];
    }
    const field = Array.isArray(breakdown) ? `${FIELD}.${index}` : FIELD;
    if (values.findIndex(each => String(each) === String(value)) < index) {
      throw fault(field, 'is there twice', 'uniqueItems');
    }
    const cohort = cohorts?.(String(value));
    if (!cohort && !Object.hasOwn(NAMES, value)) {
      throw fault(field, 'is not a cohort of the project', 'enum');
    }
    return { value, cohort, field };
  });
  const conditions = named.flatMap(({ cohort }) => cohort?.condition ?? []);
  return named.map(({ value, cohort, field }): Part => {
    if (cohort) {
      const { name, condition } = cohort;
      return { value: Number(value), name, among: [condition] };
    }
    if (value === OTHERS && conditions.length === 0) {
      throw fault(field, 'needs a cohort in the breakdown');
    }
    return {
      value,
      name: NAMES[value],
      among: value === OTHERS ? [not(anyOf(conditions))] : [],
    };
  });
}
