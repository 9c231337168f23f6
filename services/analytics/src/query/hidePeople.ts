import { ForbiddenError } from '@slipway/service-kit';
import {
  type Expression,
  partsOf,
  type Select,
} from './language/Expression.ts';
import type { Selection } from './language/buildSelect.ts';
import { expressionsOf, selectsOf } from './language/selects.ts';

/** Properties by which SDKs identify a person or device, in addition to `distinct_id`. */
const PERSONAL: ReadonlySet<string> = new Set([
  'distinct_id',
  '$anon_distinct_id',
  '$device_id',
  '$ip',
  '$session_id',
  '$set',
  '$set_once',
  '$user_id',
  'alias',
  '$window_id',
]);

/** Counts of people, which reveal nothing about a single person. */
const COUNTS: ReadonlySet<unknown> = new Set(['count', 'countDistinct']);

/**
 * Rejects a query with a result that could reveal who did something. People may be counted.
 * @param selections - the columns of the outermost SELECT; in `*`, personal properties are
 *   omitted.
 * @throws ForbiddenError
 */
export function assertHidesPeople(
  select: Select,
  selections: readonly Selection[],
): void {
  const [outer, ...inner] = selectsOf(select);
  const asked = [
    ...expressionsOf({
      ...outer,
      columns: selections.flatMap(({ expression }) => expression ?? []),
    }),
    ...inner.flatMap(expressionsOf),
  ];
  if (asked.some(each => tellsWho(each) || looksIntoAll(each))) {
    throw new ForbiddenError(
      'This project only counts people: use count(distinct distinct_id)',
    );
  }
}

/** Checks whether an expression uses all properties of an event at once, some of which are personal. */
function looksIntoAll(expression: Expression): boolean {
  return partsOf(expression).some(
    part =>
      (part.kind === 'column' && part.name === 'properties') ||
      looksIntoAll(part),
  );
}

/**
 * Rejects expressions, such as filters, that refer to who did something.
 * @throws ForbiddenError
 */
export function assertNotPersonal(expressions: readonly Expression[]): void {
  if (expressions.some(tellsWho)) {
    throw new ForbiddenError('This project only counts people');
  }
}

/** Removes personal properties from the properties of an event. */
export function withoutPeople(
  properties: Record<string, unknown>,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(properties).filter(([name]) => !PERSONAL.has(name)),
  );
}

/** Checks whether an expression refers to who did something, other than to count people. */
export function tellsWho(expression: Expression): boolean {
  if (expression.kind === 'aggregate') {
    const { function: name, args, when } = expression;
    const isCount = COUNTS.has(name);
    return (
      (when !== undefined && tellsWho(when)) ||
      args.some(arg =>
        isCount ? !isPersonal(arg) && tellsWho(arg) : tellsWho(arg),
      )
    );
  }
  return isPersonal(expression) || partsOf(expression).some(tellsWho);
}

function isPersonal(expression: Expression): boolean {
  switch (expression.kind) {
    case 'column':
      return expression.name === 'distinct_id' || expression.name === 'person';
    case 'property':
      return expression.owner === 'person' || PERSONAL.has(expression.path[0]);
    default:
      return false;
  }
}
