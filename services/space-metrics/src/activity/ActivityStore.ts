import type { ActivityEvent } from './ActivityEvent.ts';

/** The first commit that is known of a person. */
export interface FirstCommit {
  readonly personHash: string;
  /** A number for the person that means nothing elsewhere. */
  readonly person: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Days since 1970-01-01 of the reporting zone's calendar. */
  readonly day: number;
  readonly team: string;
}

/** Where activity is kept, with the numbers and first commits that follow from it. */
export interface ActivityStore {
  /**
   * Takes events in, each once however often it is sent.
   *
   * @returns for each whether it is new.
   */
  add(events: readonly ActivityEvent[]): Promise<boolean[]>;
  /** Of everybody who ever committed: the same list while it says the same. */
  firstCommits(): Promise<FirstCommit[]>;
}
