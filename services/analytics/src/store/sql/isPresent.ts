import type {
  ColumnName,
  Expression,
} from '../../query/language/Expression.ts';
import type { FunctionName } from '../../query/language/functionNames.ts';

const PRESENT_COLUMNS: ReadonlySet<ColumnName> = new Set([
  'uuid',
  'event',
  'timestamp',
  'distinct_id',
  'created_at',
]);

/** Functions whose result is never null, as engines write them. */
const TESTS: ReadonlySet<FunctionName> = new Set([
  'equals',
  'notEquals',
  'less',
  'lessOrEquals',
  'greater',
  'greaterOrEquals',
  'in',
  'notIn',
  'isNull',
  'isNotNull',
]);

/** Functions whose result is null only if an argument is. */
const LOGIC: ReadonlySet<FunctionName> = new Set(['and', 'or', 'not']);

/** Checks whether an expression is known to have a value in every row; lists contain no nulls. */
export function isPresent(expression: Expression): boolean {
  switch (expression.kind) {
    case 'column':
      return PRESENT_COLUMNS.has(expression.name);
    case 'value':
      return expression.value !== null;
    case 'list':
    case 'query':
      return true;
    case 'call':
      return (
        TESTS.has(expression.function) ||
        (LOGIC.has(expression.function) && expression.args.every(isPresent))
      );
    default:
      return false;
  }
}
