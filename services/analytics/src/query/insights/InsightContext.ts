import type { PlanRows, Select } from '../language/EventsPlan.ts';
import type { Expression } from '../language/Expression.ts';
import type { Clock } from '../readPeriod.ts';
import type { TestAccounts } from '../testAccounts.ts';

/** The context in which insights are computed: the project, the time, and the store. */
export interface InsightContext extends Clock, TestAccounts {
  readonly projectId: string;
  /** The group types of the project, by their numbers. */
  readonly groupTypes?: readonly string[];
  /** Queries the store. */
  readonly ask: (select: Select) => Promise<PlanRows>;
  /**
   * Checks expressions on single events, such as filters.
   * @throws ForbiddenError if they could reveal who did something in a project that
   *   hides it.
   */
  readonly assertShown: (expressions: readonly Expression[]) => void;
}
