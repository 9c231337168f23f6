import { readFileSync } from 'node:fs';
import path from 'node:path';

/** The result for a caller: the full object, a part of it, or an error. */
const OUTCOMES = ['yes', 'part', '400', '401', '403', '404'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** A route, with one object if there are several, and the outcome for each role. */
export interface PolicyRow {
  readonly method: string;
  /** The path as in OpenAPI, with its parameters in braces. */
  readonly path: string;
  /** The requested object; empty if only the route matters. */
  readonly object: string;
  readonly outcomes: ReadonlyMap<string, Outcome>;
}

/** The policy of one part of the platform. */
export interface PolicyPart {
  readonly name: string;
  readonly roles: readonly string[];
  readonly rows: readonly PolicyRow[];
}

const DOCUMENT = path.resolve(__dirname, '../../../../../docs/security.md');
const TITLE = '## The policy, route by route';
const ROUTE = /^`([A-Z]+) (\/\S*)`$/;

/**
 * Reads the policy tables from docs/security.md. A part is a heading followed by a table whose
 * first two columns are the route and the object; the other columns are roles.
 *
 * @throws Error naming the line if a table has another format.
 */
export function readPolicy(): PolicyPart[] {
  const [, text] = readFileSync(DOCUMENT, 'utf8').split(`${TITLE}\n`);
  const [section] = (text ?? '').split(/^## /m);
  return section
    .split(/^### /m)
    .slice(1)
    .map(part => {
      const [name, ...lines] = part.split('\n');
      const [header, , ...rows] = lines
        .filter(line => line.startsWith('|'))
        .map(cellsOf);
      const roles = header.slice(2);
      return { name, roles, rows: rows.map(cells => readRow(cells, roles)) };
    });
}

function cellsOf(line: string): string[] {
  return line
    .split('|')
    .slice(1, -1)
    .map(cell => cell.trim());
}

function readRow(cells: string[], roles: readonly string[]): PolicyRow {
  const [route, object, ...outcomes] = cells;
  const match = ROUTE.exec(route);
  const isComplete =
    outcomes.length === roles.length &&
    outcomes.every(outcome =>
      (OUTCOMES as readonly string[]).includes(outcome),
    );
  if (!match || !isComplete) {
    throw new Error(`This is no row of the policy: | ${cells.join(' | ')} |`);
  }
  return {
    method: match[1],
    path: match[2],
    object,
    outcomes: new Map(
      roles.map((role, index) => [role, outcomes[index] as Outcome]),
    ),
  };
}
