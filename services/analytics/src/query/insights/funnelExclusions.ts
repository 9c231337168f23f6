import { fault } from '../faults.ts';
import type { Series } from '../insightSchemas.ts';
import {
  anyOf,
  call,
  type Expression,
  valueOf,
} from '../language/Expression.ts';
import type { InsightContext } from '../QueryContext.ts';
import type { Query } from '../schemas.ts';
import { isOf, type Matching, readSeries, seriesOf } from './series.ts';

/** An event that excludes people from a funnel if it occurs between two of its steps. */
interface Exclusion extends Matching {
  /** The steps between which it excludes people, counted from 0. */
  readonly from: number;
  readonly to: number;
}

/**
 * Maximum steps of a funnel with exclusions: an event has 20 bits, one for each step and
 * one more for each step but the last.
 */
const MOST_STEPS = 10;

/**
 * Reads the exclusions of a funnel.
 * @throws InvalidRequestError if one is not between two steps, or cannot be distinguished
 *   from a step.
 */
export function readExclusions(
  query: Query,
  context: InsightContext,
): readonly Exclusion[] {
  const { exclusions = [], funnelOrderType: order } = query.funnelsFilter ?? {};
  const path = 'query.funnelsFilter.exclusions';
  const steps = seriesOf(query);
  if (exclusions.length === 0) {
    return [];
  }
  if (order === 'unordered') {
    throw fault(
      path,
      'cannot be used with funnelOrderType unordered: use ordered or strict',
    );
  }
  if (steps.length > MOST_STEPS) {
    throw fault(path, `can be used with up to ${MOST_STEPS} steps`, 'maximum');
  }
  return exclusions.map((exclusion, index) => {
    const field = `${path}.${index}`;
    const { funnelFromStep: from, funnelToStep: to } = exclusion;
    if (from >= to || to >= steps.length) {
      throw fault(
        `${field}.funnelToStep`,
        'must be a step after funnelFromStep',
        'maximum',
      );
    }
    if (steps.slice(from, to + 1).some(step => includes(exclusion, step))) {
      throw fault(
        `${field}.event`,
        'is a step of this part of the funnel: use another event, or properties that the step does not have',
      );
    }
    return { ...readSeries(exclusion, field, context), from, to };
  });
}

/**
 * Checks whether an exclusion certainly includes every event of a step, by comparing names
 * and filters.
 */
function includes(exclusion: Series, step: Series): boolean {
  const filtersOf = ({ properties = [] }: Series) => JSON.stringify(properties);
  return (
    (exclusion.event || undefined) === (step.event || undefined) &&
    [filtersOf({ ...exclusion, properties: [] }), filtersOf(step)].includes(
      filtersOf(exclusion),
    )
  );
}

/**
 * Returns the exclusion bits of an event, as numbers to add to its step bits. They follow
 * the step bits; the first is set if the event excludes people whose last step is the first
 * one, and so on.
 */
export function exclusionMarks(
  exclusions: readonly Exclusion[],
  steps: number,
): Expression[] {
  return Array.from({ length: steps - 1 }, (_, reached) => {
    const excluding = exclusions.filter(
      ({ from, to }) => from <= reached && reached < to,
    );
    return excluding.length === 0
      ? []
      : call(
          'if',
          [
            anyOf(excluding.map(isOf)),
            valueOf(2 ** (steps + reached)),
            valueOf(0),
          ],
          'number',
        );
  }).flat();
}
