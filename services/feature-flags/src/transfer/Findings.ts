/** A message about an import, and the names that it concerns. */
export interface Finding {
  readonly message: string;
  readonly affectedItems: string[];
}

/** Collects the errors and warnings of an import, each message once. */
export class Findings {
  readonly #errors = new Map<string, Set<string>>();
  readonly #warnings = new Map<string, Set<string>>();

  /** Messages that prevent the import. */
  get errors(): Finding[] {
    return listed(this.#errors);
  }

  /** Messages about what is lost or overwritten. */
  get warnings(): Finding[] {
    return listed(this.#warnings);
  }

  error(message: string, item: string): void {
    note(this.#errors, message, item);
  }

  warn(message: string, item: string): void {
    note(this.#warnings, message, item);
  }

  /**
   * Warns about created records whose name differs from another one only in case: the two may be meant
   * to be the same.
   *
   * @param what - the kind of record, e.g. `flag`.
   */
  warnOfCase(
    what: string,
    created: readonly string[],
    existing: readonly string[],
  ): void {
    const all = new Set([...existing, ...created]);
    const alike = Map.groupBy(all, name => name.toLowerCase());
    for (const name of created) {
      for (const other of alike.get(name.toLowerCase()) ?? []) {
        if (other !== name) {
          this.warn(
            `The name differs from that of the ${what} ${other} only in case`,
            name,
          );
        }
      }
    }
  }

  /**
   * Adds an error for every value that a list contains more than once: choosing one of the entries
   * would be a guess.
   *
   * @param field - the list as the source names it, e.g. `contextFields`.
   * @param key - the field of its entries that must be unique, e.g. `name`.
   */
  errorIfRepeated(
    { field, key }: { field: string; key: string },
    values: readonly (string | number)[],
  ): void {
    const seen = new Set<string | number>();
    for (const value of values) {
      if (seen.has(value)) {
        this.error(
          `${field} must not contain the same ${key} twice`,
          String(value),
        );
      }
      seen.add(value);
    }
  }
}

function note(
  findings: Map<string, Set<string>>,
  message: string,
  item: string,
): void {
  const items = findings.get(message) ?? new Set();
  findings.set(message, items.add(item));
}

function listed(findings: ReadonlyMap<string, Set<string>>): Finding[] {
  return [...findings].map(([message, items]) => ({
    message,
    affectedItems: [...items],
  }));
}
