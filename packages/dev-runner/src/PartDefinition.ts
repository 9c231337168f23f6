/** One row of the table that is printed when the platform is ready. */
export interface AddressRow {
  /** What is found there, e.g. `Portal`. */
  label: string;
  /** Full URL. */
  url: string;
  /** How to sign in there, in a few words. */
  signIn: string;
}

/** One process of the platform, as `yarn dev` runs it. */
export interface PartDefinition {
  /** Short name: the prefix of its log lines and the name of its run record. */
  name: string;
  /** Program and arguments; `node` is the Node that runs the runner. */
  command: readonly [string, ...string[]];
  /** Working directory, relative to the repository's root. */
  cwd: string;
  /** TCP ports on the loopback interface that must be free before the start. */
  ports: readonly number[];
  /**
   * Answers 2xx once the part can be used. Left out for a part that does something and
   * ends: what it did is there once it has ended with exit code 0.
   */
  readyUrl?: string;
  /**
   * Part without a `readyUrl` that has to end, well or not, before this one starts. This
   * one starts again when that one succeeds later.
   */
  startsAfter?: string;
  /** What the part adds to the table of addresses. */
  addresses: readonly AddressRow[];
  /** Added to the runner's own environment. */
  env?: Readonly<Record<string, string>>;
  /**
   * Workspace package whose sources, and those of the workspace packages that
   * it depends on, restart the part when they change. Left out for a part that
   * reloads by itself.
   */
  restartOnChangeOf?: string;
  /** A folder like `restartOnChangeOf`, whose first change is only reported: a restart would show it. */
  tellOnChangeOf?: string;
  /** Lines of the part's output that say nothing to a developer. */
  noise?: readonly RegExp[];
  /** What is cut out of the lines that remain. */
  redundant?: readonly RegExp[];
}
