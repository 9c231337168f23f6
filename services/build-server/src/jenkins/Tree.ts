/** Elements of a list, from one and before another, counted from 0. */
export interface Range {
  from: number;
  to: number;
}

/**
 * What is wanted of an answer: fields by name, `*` for those that are not named, and
 * elements of lists. A field of which nothing is named is wanted whole.
 */
export class Tree {
  readonly #children = new Map<string, Tree>();
  #range: Range | undefined;

  /** What is wanted of a field; undefined when it is not wanted itself. */
  child(name: string): Tree | undefined {
    return this.#children.get(name) ?? this.#children.get('*');
  }

  /** What is wanted by name, the star among it; nothing means all. */
  names(): string[] {
    return [...this.#children.keys()];
  }

  /** Asked for again a field is the same field. */
  want(name: string): Tree {
    const tree = this.#children.get(name) ?? new Tree();
    this.#children.set(name, tree);
    return tree;
  }

  limit(range: Range): void {
    this.#range = range;
  }

  /** Leaves out what is not wanted; what has another form than asked for stays as it is. */
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
      // Clients tell by it what an object is, without asking for it.
      if (name === '_class') {
        return [[name, member]];
      }
      const child = this.child(name);
      return child ? [[name, child.prune(member)]] : [];
    });
    return Object.fromEntries(wanted);
  }
}
