import type { Knex } from 'knex';

/** Narrows a query to rows one of whose columns holds a text, in whatever case. */
export function whereTextIn(
  query: Knex.QueryBuilder,
  columns: string[],
  text: string,
): void {
  const pattern = text
    .toLocaleLowerCase('en-US')
    .replace(/[\\%_]/g, character => `\\${character}`);
  query.where(any => {
    for (const column of columns) {
      any.orWhereRaw(`LOWER(??) LIKE ? ESCAPE '\\'`, [column, `%${pattern}%`]);
    }
  });
}
