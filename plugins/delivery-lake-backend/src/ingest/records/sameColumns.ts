import { Columns, NullableRowOf } from '../sql/BatchSql';

/** Whether two rows say the same in all of these columns but the excepted. */
export function sameColumns<C extends Columns>(
  columns: C,
  a: NullableRowOf<C>,
  b: NullableRowOf<C>,
  except: readonly (keyof C)[] = [],
): boolean {
  return Object.keys(columns).every(
    column => except.includes(column) || a[column] === b[column],
  );
}
