import { InvalidRequestError } from '@slipway/service-kit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { renderXml, toElement, type XmlElement } from './toXml.ts';
import { selectXml } from './xpath.ts';

/** A range of list elements, `to` exclusive, counted from 0. */
interface Range {
  from: number;
  to: number;
}

/**
 * The selected fields of a response: by name, `*` for all others, and ranges of lists. A
 * field without a nested selection is returned whole.
 */
class Tree {
  readonly #children = new Map<string, Tree>();
  #range: Range | undefined;

  /** Returns the selection for a field; undefined if the field is not selected. */
  child(name: string): Tree | undefined {
    return this.#children.get(name) ?? this.#children.get('*');
  }

  /** Returns the selected names, including `*`; an empty list means all fields. */
  names(): string[] {
    return [...this.#children.keys()];
  }

  /** Adds a field to the selection, or returns it if already added. */
  want(name: string): Tree {
    const tree = this.#children.get(name) ?? new Tree();
    this.#children.set(name, tree);
    return tree;
  }

  limit(range: Range): void {
    this.#range = range;
  }

  /** Removes fields that are not selected; values of an unexpected shape are unchanged. */
  prune(value: unknown): unknown {
    if (Array.isArray(value)) {
      const { from, to } = this.#range ?? { from: 0, to: Infinity };
      return value.slice(from, to).map(element => this.#pruneOne(element));
    }
    return this.#pruneOne(value);
  }

  #pruneOne(value: unknown): unknown {
    if (Array.isArray(value)) {
      return value.map(element => this.#pruneOne(element));
    }
    if (
      typeof value !== 'object' ||
      value === null ||
      this.#children.size === 0
    ) {
      return value;
    }
    const wanted = Object.entries(value).flatMap(([name, member]) => {
      // Clients need it to determine the type of an object, even if they do not select it.
      if (name === '_class') {
        return [[name, member]];
      }
      const child = this.child(name);
      return child ? [[name, child.prune(member)]] : [];
    });
    return Object.fromEntries(wanted);
  }
}

const MAX_DEPTH = 20;
const TOKEN = /\s*([^\s,[\]{}]+|[,[\]{}])/y;
const NAME = /^[^,[\]{}]+$/;

/** Parses a text from start to end. */
class TreeReader {
  readonly #text: string;
  #at = 0;
  #token: string | undefined;

  constructor(text: string) {
    this.#text = text.trimEnd();
    this.#next();
  }

  readInto(tree: Tree): void {
    this.#readFields(tree, 0);
    if (this.#token !== undefined) {
      throw this.#fault();
    }
  }

  #readFields(tree: Tree, depth: number): void {
    if (depth > MAX_DEPTH) {
      throw this.#fault();
    }
    do {
      const name = this.#take(token => NAME.test(token));
      this.#readField(tree.want(name), depth);
    } while (this.#skip(','));
  }

  #readField(field: Tree, depth: number): void {
    if (this.#skip('[')) {
      this.#readFields(field, depth + 1);
      this.#take(token => token === ']');
    }
    if (this.#skip('{')) {
      field.limit(this.#readRange());
      this.#take(token => token === '}');
    }
  }

  /** Parses a range: `{2}` is one element, `{2,}` starts there, `{,5}` and `{2,5}` end before the fifth. */
  #readRange(): Range {
    const first = this.#readNumber();
    if (!this.#skip(',')) {
      if (first === undefined) {
        throw this.#fault();
      }
      return { from: first, to: first + 1 };
    }
    return { from: first ?? 0, to: this.#readNumber() ?? Infinity };
  }

  #readNumber(): number | undefined {
    return /^\d{1,9}$/.test(this.#token ?? '')
      ? Number(this.#take(() => true))
      : undefined;
  }

  #skip(token: string): boolean {
    if (this.#token !== token) {
      return false;
    }
    this.#next();
    return true;
  }

  #take(fits: (token: string) => boolean): string {
    const token = this.#token;
    if (token === undefined || !fits(token)) {
      throw this.#fault();
    }
    this.#next();
    return token;
  }

  #next(): void {
    TOKEN.lastIndex = this.#at;
    this.#token = TOKEN.exec(this.#text)?.[1];
    this.#at = this.#token === undefined ? this.#at : TOKEN.lastIndex;
  }

  #fault(): InvalidRequestError {
    const at = this.#at - (this.#token?.length ?? 0) + 1;
    return new InvalidRequestError(`tree is invalid at character ${at}`, {
      field: 'tree',
      constraint: 'format',
    });
  }
}

/**
 * Parses the `tree` parameter of Jenkins: field names separated by commas, nested
 * selections in brackets and ranges of lists in braces, e.g.
 * `name,builds[number,result]{0,5}`.
 *
 * @see https://github.com/jenkinsci/stapler - `NamedPathPruner`
 * @throws InvalidRequestError with the position of the syntax error.
 */
export function readTree(text: string): Tree {
  const tree = new Tree();
  new TreeReader(text).readInto(tree);
  return tree;
}

/** Query of every route that ends in `/api/json`, as in Jenkins. */
export const ExportQuery = Type.Object({
  tree: Type.Optional(
    Type.String({
      maxLength: 2_000,
      description:
        'The fields to return, e.g. `name,builds[number,result]{0,5}`. Takes precedence over `depth`.',
    }),
  ),
  depth: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 100,
      description: 'How deep jobs and their builds are expanded.',
    }),
  ),
  pretty: Type.Optional(
    Type.String({ description: 'Indents the response, unless `false`.' }),
  ),
  xpath: Type.Optional(
    Type.String({
      maxLength: 500,
      description: 'Of `/api/xml`: the element to return, e.g. `/job/name`.',
    }),
  ),
  wrapper: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z_][A-Za-z0-9_.-]{0,100}$',
      patternDescription: 'must be the name of an element',
      description: 'Element that wraps everything that `xpath` selects.',
    }),
  ),
});

/** @throws InvalidRequestError */
export function treeOf({ tree }: Static<typeof ExportQuery>): Tree | undefined {
  return tree?.trim() ? readTree(tree) : undefined;
}

/** `preHandler` of routes with that query: reduces the response to the requested fields. */
export async function exported(
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const query = request.query as Static<typeof ExportQuery>;
  const tree = treeOf(query);
  const isPretty = query.pretty !== undefined && query.pretty !== 'false';
  if (/\/api\/xml\/?$/.test(request.url.split('?')[0])) {
    respondXml(reply, { ...query, tree });
    return;
  }
  if (!tree && !isPretty) {
    return;
  }
  reply.type('application/json; charset=utf-8');
  reply.serializer((answer: unknown) => {
    const isFault = reply.statusCode >= 400;
    return JSON.stringify(
      tree && !isFault ? tree.prune(answer) : answer,
      null,
      isPretty ? 2 : undefined,
    );
  });
}

function respondXml(
  reply: FastifyReply,
  query: { tree?: Tree; xpath?: string; wrapper?: string },
): void {
  const { tree, xpath, wrapper } = query;
  reply.type('application/xml; charset=utf-8');
  reply.serializer((answer: object) => {
    if (reply.statusCode >= 400) {
      reply.type('application/json; charset=utf-8');
      return JSON.stringify(answer);
    }
    const root = toElement((tree ? tree.prune(answer) : answer) as object);
    const selected = xpath === undefined ? [root] : selectXml(root, xpath);
    if (typeof selected === 'string') {
      reply.type('text/plain; charset=utf-8');
      return selected;
    }
    return renderXml(oneOf(selected, { xpath, wrapper }));
  });
}

/** @throws InvalidRequestError unless exactly one element is selected, or there is a wrapper. */
function oneOf(
  elements: readonly XmlElement[],
  { xpath, wrapper }: { xpath?: string; wrapper?: string },
): XmlElement {
  if (wrapper !== undefined) {
    return { name: wrapper, children: elements };
  }
  if (elements.length !== 1) {
    throw new InvalidRequestError(
      `xpath ${xpath} selects ${elements.length} elements; add &wrapper=NAME to return any number`,
      { field: 'xpath', constraint: 'count' },
    );
  }
  return elements[0];
}
