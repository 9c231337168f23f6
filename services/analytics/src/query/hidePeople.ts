import { ForbiddenError } from '@slipway/service-kit';
import type {
  EventsPlan,
  Operand,
  RowExpression,
} from './language/EventsPlan.ts';
import { operandsOf } from './language/EventsPlan.ts';

/** Properties by which SDKs say who, or on which device, beside `distinct_id`. */
const PERSONAL: ReadonlySet<string> = new Set([
  'distinct_id',
  '$anon_distinct_id',
  '$device_id',
  '$ip',
  '$session_id',
  '$set',
  '$set_once',
  '$user_id',
  '$window_id',
]);

/** Numbers of people, which say nothing of any one. */
const COUNTS: ReadonlySet<string> = new Set(['count', 'countDistinct']);

/**
 * Refuses a plan whose answer could tell who did something. People may be counted.
 *
 * @throws ForbiddenError
 */
export function assertHidesPeople(plan: EventsPlan): void {
  const { select, orderBy, where, having } = plan;
  const operands = [
    ...select
      .map(({ expression }) => expression)
      .filter(expression => expression.kind !== 'everything'),
    ...orderBy.map(({ expression }) => expression),
    ...[...where, ...having].flatMap(operandsOf),
  ];
  if (operands.some(tellsWho)) {
    throw new ForbiddenError(
      'This project only counts people: use count(distinct distinct_id)',
    );
  }
}

/** Leaves out of an event's properties what tells who it was. */
export function withoutPeople(
  properties: Record<string, unknown>,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(properties).filter(([name]) => !PERSONAL.has(name)),
  );
}

function tellsWho(operand: Operand): boolean {
  if (operand.kind === 'aggregate') {
    return (
      operand.of !== undefined &&
      !COUNTS.has(operand.function) &&
      isPersonal(operand.of)
    );
  }
  return isPersonal(operand);
}

function isPersonal(expression: RowExpression): boolean {
  switch (expression.kind) {
    case 'column':
      return expression.name === 'distinct_id';
    case 'property':
    case 'number':
      return PERSONAL.has(expression.name);
    case 'truncated':
      return false;
    default:
      return expression satisfies never;
  }
}
