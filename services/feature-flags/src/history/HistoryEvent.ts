/** Something that somebody changed. */
export interface HistoryEvent {
  /** Rises with time. */
  readonly id: number;
  /** `feature-created`, `feature-updated`, …, `api-token-created`, `api-token-deleted`. */
  readonly type: string;
  /** A flag's name or a token's id. */
  readonly subject: string;
  readonly environment: string | null;
  /** The name of a token or the entity reference of a user. */
  readonly createdBy: string;
  /** Milliseconds since the Unix epoch. */
  readonly createdAt: number;
  /** What it was; null for what was not there. */
  readonly before: object | null;
  /** What it is; null for what is there no more. */
  readonly after: object | null;
}

/** Reads what was changed, newest first. */
export interface HistoryStore {
  /**
   * @param options.subject - of this flag or token alone.
   * @param options.before - older than the event with this id: the next page.
   */
  list(options: {
    limit: number;
    subject?: string;
    before?: number;
  }): Promise<HistoryEvent[]>;
}
