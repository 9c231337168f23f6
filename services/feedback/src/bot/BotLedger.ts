/** Remembers which messages were answered: platforms send them again. */
export interface BotLedger {
  /**
   * Takes a message for answering.
   *
   * @returns false when it was answered, or somebody is at it now.
   */
  claim(key: string): Promise<boolean>;
  /** It was answered. */
  settle(key: string): Promise<void>;
  /** It was not, and may be taken again at once. */
  release(key: string): Promise<void>;
  /** Forgets what no platform sends again. */
  purge(): Promise<void>;
}
