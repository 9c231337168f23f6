/** Somebody who is to be told that theirs is resolved. */
export interface Notice {
  readonly feedbackId: string;
  /** Entity reference of a user. */
  readonly author: string;
  readonly message: string;
  readonly attempts: number;
}

/** Remembers who is still to be told. */
export interface NoticeStore {
  /** Takes notices that are due; others leave them alone for `leaseMs`. */
  lease(options: {
    now: number;
    leaseMs: number;
    limit: number;
  }): Promise<Notice[]>;
  /** Forgets one that was told, or that nobody will be. */
  remove(feedbackId: string): Promise<void>;
  postpone(feedbackId: string, until: number): Promise<void>;
}
