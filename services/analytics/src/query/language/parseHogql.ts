import {
  type EventsSource,
  type Expression,
  kindOf,
  type QueryExpression,
  type Select,
} from './Expression.ts';
import type { Selection } from './buildSelect.ts';
import type { Scope } from './coerce.ts';
import { ExpressionParser } from './parseExpression.ts';
import {
  assertNoJoin,
  readClauses,
  UNSUPPORTED_CLAUSES,
} from './readClauses.ts';
import { TokenReader } from './TokenReader.ts';

/** A parsed and checked HogQL query. */
export interface HogqlQuery {
  readonly select: Select;
  readonly selections: readonly Selection[];
  /** Number of queries that it contains: itself, its source, its lists, and so on. */
  readonly steps: number;
}

const DEEPEST = 5;
/**
 * Maximum queries in one: names in WITH can form chains, and each query is expanded
 * wherever it is named.
 */
const MOST_STEPS = 20;
const MOST_COLUMNS = 50;
const LONGEST = 20_000;
const DEFAULT_ROWS = 100;

/** Words that may follow a source, and so cannot be its alias without `as`. */
const AFTER_SOURCE = ['where', 'group', 'having', 'order', 'limit', 'union'];
/** Words that may follow an expression in `select`, and so cannot be its alias without `as`. */
const AFTER_SELECTION = ['from', ...AFTER_SOURCE];

/** PostHog tables that do not exist here, and what to use instead. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  persons: 'person_id and properties of events',
  person_distinct_ids: 'person_id of events',
  groups: 'group_0.properties.<name> and group_0.key of events',
  sessions: 'properties.$session_id of events, grouped',
  cohort_people: 'person_id IN COHORT <id>',
};

/** The names to which a query may refer. */
interface HogqlOptions {
  readonly source: EventsSource;
  readonly scope: Pick<
    Scope,
    'calendar' | 'cohorts' | 'groupTypes' | 'now' | 'placeholders'
  >;
}

type Named = ReadonlyMap<string, HogqlQuery>;

interface Source {
  readonly from: Select['from'];
  readonly steps: number;
  readonly scope: Scope;
}

/** Parses queries, including nested ones, from tokens. */
class QueryReader {
  readonly #reader: TokenReader;
  readonly #options: HogqlOptions;

  constructor(reader: TokenReader, options: HogqlOptions) {
    this.#reader = reader;
    this.#options = options;
  }

  query(depth: number, outer: Named): HogqlQuery {
    const reader = this.#reader;
    if (depth > DEEPEST) {
      throw reader.fault(`has queries nested deeper than ${DEEPEST}`);
    }
    const named = this.#named(depth, outer);
    reader.expectKeyword('select');
    const distinct = reader.takeWord('distinct');
    const start = reader.place;
    if (!reader.skipPast('from')) {
      throw reader.fault('needs FROM events');
    }
    const { from, scope, steps } = this.#source(depth, named);
    // Reject joins first: the columns of joined tables would be reported as unknown names.
    assertNoJoin(reader);
    const end = reader.place;
    reader.goTo(start);
    const selections: Selection[] = [];
    let listed = 0;
    const withAliases: Scope = {
      ...scope,
      list: () => {
        const query = this.#list(depth, named);
        listed += query?.steps ?? 0;
        return query && this.#valuesOf(query);
      },
      named: name => selections.find(({ label }) => label === name)?.expression,
    };
    const parser = new ExpressionParser(reader, withAliases);
    do {
      if (selections.length === MOST_COLUMNS) {
        throw reader.fault(`selects more than ${MOST_COLUMNS} columns`);
      }
      selections.push(this.#selection(parser));
    } while (reader.takeSign(','));
    if (!reader.isWord('from')) {
      throw reader.fault("needs ',' or FROM");
    }
    reader.goTo(end);
    const select = readClauses(reader, { parser, from, selections, distinct });
    this.#assertFew(steps + listed);
    return { steps: steps + listed, selections, select };
  }

  /** Reads a query in brackets, or one named by WITH, that follows IN. */
  #list(depth: number, named: Named): HogqlQuery | undefined {
    const reader = this.#reader;
    const token = reader.peek();
    const query = token?.kind === 'word' ? named.get(token.text) : undefined;
    if (query) {
      reader.next();
      return query;
    }
    if (
      !reader.isSign('(') ||
      !(reader.isWord('select', 1) || reader.isWord('with', 1))
    ) {
      return undefined;
    }
    reader.expectSign('(');
    const inner = this.query(depth + 1, named);
    reader.expectSign(')');
    return inner;
  }

  #valuesOf({ select, selections }: HogqlQuery): QueryExpression {
    const [{ expression }, ...more] = selections;
    if (
      !expression ||
      more.length > 0 ||
      ['json', 'null', 'numbers', 'texts'].includes(kindOf(expression))
    ) {
      throw this.#reader.faultBefore(
        'needs a subquery with exactly one column of values after IN',
      );
    }
    return { kind: 'query', select, of: kindOf(expression) };
  }

  #assertFew(steps: number): void {
    if (steps > MOST_STEPS) {
      throw this.#reader.faultBefore(
        `consists of more than ${MOST_STEPS} queries`,
      );
    }
  }

  /** Reads `WITH name AS (SELECT …)`, and adds these names to those of the outer query. */
  #named(depth: number, outer: Named): Named {
    const reader = this.#reader;
    const named = new Map(outer);
    if (!reader.takeWord('with')) {
      return named;
    }
    do {
      const name = reader.expectWord();
      reader.expectKeyword('as');
      reader.expectSign('(');
      named.set(name, this.query(depth + 1, named));
      reader.expectSign(')');
    } while (reader.takeSign(','));
    return named;
  }

  #source(depth: number, named: Named): Source {
    const reader = this.#reader;
    const { scope, source } = this.#options;
    if (reader.takeSign('(')) {
      const inner = this.query(depth + 1, named);
      reader.expectSign(')');
      return this.#subquery(inner, this.#alias());
    }
    const name = reader.expectWord();
    const query = named.get(name);
    if (query) {
      return this.#subquery(query, [name, ...this.#alias()]);
    }
    if (name !== 'events') {
      const instead = Object.hasOwn(ELSEWHERE, name)
        ? `: use ${ELSEWHERE[name]}`
        : '';
      throw reader.faultBefore(
        `reads from '${name}', which is neither events nor a subquery${instead}`,
      );
    }
    const tables = ['events', ...this.#alias()];
    return { from: source, scope: { ...scope, tables }, steps: 1 };
  }

  /** Returns a subquery as the source, whose columns are the only names. */
  #subquery(inner: HogqlQuery, tables: string[]): Source {
    const { select, selections } = inner;
    const { scope } = this.#options;
    const steps = inner.steps + 1;
    this.#assertFew(steps);
    const fields = new Map<string, Expression>();
    selections.forEach(({ label, expression }, index) => {
      if (!expression || kindOf(expression) === 'json') {
        throw this.#reader.faultBefore(
          'selects whole objects in a subquery: name the properties',
        );
      }
      fields.set(label, { kind: 'field', index, of: kindOf(expression) });
    });
    return { from: select, scope: { ...scope, fields, tables }, steps };
  }

  /** Reads the alias of a source, if any. */
  #alias(): string[] {
    const reader = this.#reader;
    if (reader.takeWord('as')) {
      return [reader.expectWord()];
    }
    const token = reader.peek();
    const isName =
      token?.kind === 'word' &&
      ![...AFTER_SOURCE, ...UNSUPPORTED_CLAUSES].includes(
        token.text.toLowerCase(),
      );
    return isName ? [reader.expectWord()] : [];
  }

  #selection(parser: ExpressionParser): Selection {
    const reader = this.#reader;
    const start = reader.place;
    if (reader.takeSign('*')) {
      if (parser.scope.fields) {
        throw reader.faultBefore('uses * of a subquery: name its columns');
      }
      return { label: '*' };
    }
    const expression = parser.expression();
    const written = reader.writtenSince(start);
    const token = reader.peek();
    if (
      reader.takeWord('as') ||
      (token?.kind === 'word' &&
        !AFTER_SELECTION.includes(token.text.toLowerCase()))
    ) {
      return { label: reader.expectWord(), expression };
    }
    return { label: written, expression };
  }
}

/**
 * Parses `SELECT … FROM events WHERE … GROUP BY … HAVING … ORDER BY … LIMIT …`; a
 * subquery in brackets or from WITH may replace `events`.
 * @param options.source - what `events` refers to.
 * @throws InvalidRequestError if the query has another form.
 */
export function parseHogql(text: string, options: HogqlOptions): HogqlQuery {
  const reader = new TokenReader(text, 'query.query', LONGEST);
  const query = new QueryReader(reader, options).query(0, new Map());
  if (reader.isWord('union')) {
    throw reader.fault('has UNION, which is not supported: send two queries');
  }
  reader.expectEnd();
  const { limit = DEFAULT_ROWS } = query.select;
  return { ...query, select: { ...query.select, limit } };
}
