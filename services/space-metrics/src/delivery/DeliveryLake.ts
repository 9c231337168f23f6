import type { Granularity, Period } from '../periods/Period.ts';
import type { Sourced } from '../portal/Sourced.ts';

/** What the delivery lake says of a team and a period. */
export interface Delivery {
  /** Deployments to production in a week. */
  readonly deploymentsPerWeek: number;
  readonly deployments: number;
  /** Median, from commit to production. */
  readonly leadTimeHours: number;
  readonly changes: number;
}

/** The portal's record of deployments. */
export interface DeliveryLake {
  delivery(options: {
    team: string;
    period: Period;
  }): Promise<Sourced<Delivery>>;
  /** One for each bucket of the period, by its first day. */
  series(options: {
    team: string;
    period: Period;
    granularity: Granularity;
  }): Promise<Sourced<ReadonlyMap<string, Delivery>>>;
}
