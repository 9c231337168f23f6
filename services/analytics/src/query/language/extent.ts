import { fault } from '../faults.ts';
import { type Expression, partsOf, type Select } from './Expression.ts';
import type { FunctionName } from './functionNames.ts';
import { expressionsOf } from './selects.ts';

/** Maximum parts of an expression, and of all expressions in a SELECT that users write. */
const MOST_PARTS = 10_000;
/** Maximum parts of an insight's SELECT, whose filters may list many values. */
const MOST_OF_INSIGHT = 100_000;
/** Maximum depth of nested calls; engines can parse only slightly deeper ones. */
const DEEPEST = 300;

/** How often the SQL for ClickHouse repeats the arguments of functions that it has to emulate. */
const COPIES: Partial<Record<FunctionName, number>> = {
  modulo: 3,
  startOf: 3,
  timeOfText: 2,
};

/** Number of characters in a text or property name that count as one more part. */
const PART_LENGTH = 20;
/**
 * Number of characters in a list of texts that count as one more part: engines parse the
 * list as one text.
 */
const LIST_LENGTH = 200;

/** The size of an expression as it is written for an engine. */
interface Extent {
  /**
   * Number of calls, columns and values, each counted as often as it is written; long ones
   * count as several.
   */
  readonly parts: number;
  readonly depth: number;
}

const known = new WeakMap<Expression, Extent>();

/**
 * Returns why expressions are too large for an engine; undefined if they are small enough.
 * A short text with aliases of aliases can expand to an expression of any size, which would
 * block the service while it is written or compared.
 */
export function whatIsTooLarge(
  expressions: readonly Expression[],
  most = MOST_PARTS,
): string | undefined {
  const extents = expressions.map(extentOf);
  if (extents.some(({ depth }) => depth > DEEPEST)) {
    return `stands for an expression that is nested deeper than ${DEEPEST}`;
  }
  return sumOf(extents) > most
    ? `stands for expressions of more than ${most} parts`
    : undefined;
}

/**
 * Splits expressions into groups, in order, each with at most the given number of expressions and of
 * parts; a larger expression is a group of its own.
 */
export function groupsBySize<T extends Expression>(
  expressions: readonly T[],
  most: { readonly count: number; readonly parts: number },
): T[][] {
  const groups: T[][] = [];
  let parts = 0;
  for (const expression of expressions) {
    const size = extentOf(expression).parts;
    const group = groups.at(-1);
    if (group && group.length < most.count && parts + size <= most.parts) {
      group.push(expression);
      parts += size;
    } else {
      groups.push([expression]);
      parts = size;
    }
  }
  return groups;
}

/** @throws InvalidRequestError if the filters of an insight are too large together. */
export function assertSmallInsight(select: Select): void {
  const wrong = whatIsTooLarge(partsOfSelect(select), MOST_OF_INSIGHT);
  if (wrong) {
    throw fault('query', wrong, 'maximum');
  }
}

/** Measures each object once: shared parts can make the whole exponentially large. */
function extentOf(expression: Expression): Extent {
  const found = known.get(expression);
  if (found) {
    return found;
  }
  const inner =
    expression.kind === 'query'
      ? partsOfSelect(expression.select)
      : partsOf(expression);
  const extents = inner.map(extentOf);
  const copies =
    expression.kind === 'call' ? (COPIES[expression.function] ?? 1) : 1;
  const extent = {
    parts: ownPartsOf(expression) + copies * sumOf(extents),
    depth: 1 + Math.max(0, ...extents.map(({ depth }) => depth)),
  };
  known.set(expression, extent);
  return extent;
}

function ownPartsOf(expression: Expression): number {
  switch (expression.kind) {
    case 'value':
      return 1 + Math.floor(String(expression.value).length / PART_LENGTH);
    case 'list':
      return 1 + Math.floor(expression.values.join('').length / LIST_LENGTH);
    case 'property':
      return 1 + Math.floor(expression.path.join('').length / PART_LENGTH);
    default:
      return 1;
  }
}

function partsOfSelect(select: Select): readonly Expression[] {
  const { from } = select;
  const inner = from.kind === 'each' ? from.of : from;
  return [
    ...expressionsOf(select),
    ...(inner.kind === 'select' ? partsOfSelect(inner) : []),
  ];
}

function sumOf(extents: readonly Extent[]): number {
  return extents.reduce((sum, { parts }) => sum + parts, 0);
}
