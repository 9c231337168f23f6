import { InvalidRequestError } from '@slipway/service-kit';
import { type Range, Tree } from './Tree.ts';

const MAX_DEPTH = 20;
const TOKEN = /\s*([^\s,[\]{}]+|[,[\]{}])/y;
const NAME = /^[^,[\]{}]+$/;

/** Reads a text from its beginning to its end. */
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

  /** `{2}` is one, `{2,}` from there, `{,5}` and `{2,5}` before the fifth. */
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
    return new InvalidRequestError(
      `tree is not understood at character ${at}`,
      { field: 'tree', constraint: 'format' },
    );
  }
}

/**
 * Reads what a client wants of an answer, in Jenkins' words: names with commas between,
 * what is wanted of each in brackets and which elements of a list in braces, e.g.
 * `name,builds[number,result]{0,5}`.
 *
 * @see https://github.com/jenkinsci/stapler - `NamedPathPruner`
 * @throws InvalidRequestError naming the place of the fault.
 */
export function readTree(text: string): Tree {
  const tree = new Tree();
  new TreeReader(text).readInto(tree);
  return tree;
}
