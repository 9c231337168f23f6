/** Length of the times that usage is added up over. */
export type Span = 'minute' | 'hour';

export const SPAN_MS: Readonly<Record<Span, number>> = {
  minute: 60_000,
  hour: 3_600_000,
};

/** How often a flag was on and off. */
export interface Tally {
  readonly yes: number;
  readonly no: number;
}

/** What one application asked of one flag within one span. */
export interface UsageRecord extends Tally {
  readonly flag: string;
  readonly environment: string;
  readonly span: Span;
  /** Milliseconds since the Unix epoch. */
  readonly startsAt: number;
  readonly appName: string;
}

/** Usage of a flag within one span, of all applications. */
export interface UsagePoint extends Tally {
  /** Milliseconds since the Unix epoch. */
  readonly startsAt: number;
}

/** Usage, added up by minute and by hour. */
export interface UsageStore {
  /** Adds to what is there, all or nothing; flags that do not exist are left out. */
  add(records: readonly UsageRecord[]): Promise<void>;
  /** In time; spans without usage are left out. */
  series(options: {
    flag: string;
    span: Span;
    from: number;
  }): Promise<UsagePoint[]>;
  /** By flag; flags without usage are left out. */
  seriesOfAll(options: {
    span: Span;
    from: number;
  }): Promise<Map<string, UsagePoint[]>>;
  /** Names, sorted, of who asked for a flag since. */
  applications(options: { flag: string; from: number }): Promise<string[]>;
  /** Forgets what starts before. @returns how many records. */
  purge(options: { span: Span; before: number }): Promise<number>;
}
