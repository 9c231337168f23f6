/** What the catalog says of one user. */
export interface DirectoryEntry {
  /** Canonical entity reference, e.g. `user:default/ada`. */
  readonly userRef: string;
  /** The first group that the user is a member of, if any. */
  readonly team?: string;
  /** When the user joined: milliseconds since 1970. */
  readonly startedAt?: number;
}

/** By what a forge or a chat knows somebody. */
export interface Alias {
  /** `github`, `gitlab`, … */
  readonly forge?: string;
  readonly login?: string;
  readonly email?: string;
}

/**
 * Who is who, as the catalog has it. Answers from what it knows: where the catalog
 * does not answer, nobody is found, and nothing waits for it.
 */
export interface PeopleDirectory {
  find(userId: string): Promise<DirectoryEntry | undefined>;
  findByAlias(alias: Alias): Promise<DirectoryEntry | undefined>;
  /** Everybody, by the catalog as it is now; undefined while it does not answer. */
  everyone(): Promise<readonly DirectoryEntry[] | undefined>;
  /** Everybody who has a start date: the same list while the catalog was not read anew. */
  joiners(): Promise<readonly DirectoryEntry[]>;
}
