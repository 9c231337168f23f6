/** Something that happened in a product, as it is kept. */
export interface AnalyticsEvent {
  readonly projectId: string;
  /** Lower-case; what is sent twice under one uuid is kept once. */
  readonly uuid: string;
  readonly event: string;
  /** Whom it happened to, in the words of the product. */
  readonly distinctId: string;
  /** When it happened, milliseconds since the Unix epoch. */
  readonly timestamp: number;
  /** When it arrived, milliseconds since the Unix epoch. */
  readonly createdAt: number;
  /** A JSON object, as `JSON.stringify` writes it. */
  readonly properties: string;
}
