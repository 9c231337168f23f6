import createRouter, { type HTTPMethod } from 'find-my-way';

/** A table of the methods that each path takes, for 405 and its `Allow` header. */
export class MethodTable {
  readonly #router: ReturnType<typeof createRouter>;
  readonly #methods = new Set<HTTPMethod>();

  constructor({ ignoreTrailingSlash }: { ignoreTrailingSlash?: boolean } = {}) {
    this.#router = createRouter({ ignoreTrailingSlash });
  }

  /** Adds a route, by the pattern of its path. */
  add(method: string | string[], pattern: string): void {
    for (const each of [method].flat() as HTTPMethod[]) {
      if (!this.#router.findRoute(each, pattern)) {
        this.#router.on(each, pattern, () => {});
        this.#methods.add(each);
      }
    }
  }

  /** The methods of a path, sorted; empty when the path is unknown. */
  of(path: string): string[] {
    return [...this.#methods]
      .filter(method => this.#router.find(method, path) !== null)
      .sort();
  }
}
