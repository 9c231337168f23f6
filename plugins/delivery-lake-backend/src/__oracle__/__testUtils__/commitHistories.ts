import fc from 'fast-check';
import { RawChange } from '../RawEvent';

export const REPOSITORIES = ['acme/shop', 'acme/mono', 'acme/lone'];
const MINUTE_MS = 60_000;
export const HISTORY_MINUTES = 21 * 24 * 60;

/** A planned commit on a deployed branch. Minutes count from the beginning of the history. */
export interface CommitPlan {
  repository: string;
  landed: number;
  /** Minutes from commit to landing; negative if a clock was wrong; null if unknown. */
  age: number | null;
  sequence?: number;
  /** The events that report the commit; `never` if there are none. */
  told: 'once' | 'corrected' | 'deleted' | 'never';
  /** True if only its commit time is reported. */
  withoutLanding: boolean;
}

export const commitPlan: fc.Arbitrary<CommitPlan> = fc.record({
  repository: fc.constantFrom(...REPOSITORIES),
  landed: fc.oneof(
    fc.integer({ min: 0, max: HISTORY_MINUTES }),
    // Several commits in one push.
    fc.constantFrom(3_000, 9_000),
  ),
  age: fc.oneof(
    { weight: 5, arbitrary: fc.integer({ min: 0, max: 2_000 }) },
    { weight: 2, arbitrary: fc.integer({ min: 0, max: 200_000 }) },
    { weight: 1, arbitrary: fc.integer({ min: -8_000, max: -1 }) },
    { weight: 1, arbitrary: fc.constant(null) },
  ),
  sequence: fc.option(fc.nat(5), { nil: undefined }),
  told: fc.oneof(
    { weight: 8, arbitrary: fc.constant('once' as const) },
    fc.constantFrom('corrected' as const, 'deleted' as const, 'never' as const),
  ),
  withoutLanding: fc.boolean(),
});

/** Returns the SHA of the commit with this index in the plan. */
export function shaOf(index: number): string {
  return (index + 1).toString(16).padStart(40, 'c0ffee');
}

/**
 * Returns the commit time that a planned commit reports; undefined if it reports none.
 */
export function committedAt(
  origin: number,
  { landed, age }: CommitPlan,
): string | undefined {
  return age === null
    ? undefined
    : new Date(origin + (landed - age) * MINUTE_MS).toISOString();
}

function told(origin: number, plan: CommitPlan, index: number): RawChange[] {
  const landedAt = new Date(origin + plan.landed * MINUTE_MS).toISOString();
  const sha = shaOf(index);
  const change: RawChange = {
    kind: 'change',
    source: 'forge',
    occurredAt: landedAt,
    repository: plan.repository,
    sha,
    committedAt: committedAt(origin, plan),
    landedAt: plan.withoutLanding && plan.age !== null ? undefined : landedAt,
    sequence: plan.sequence,
  };
  const later = new Date(Date.parse(landedAt) + 3_600_000).toISOString();
  switch (plan.told) {
    case 'never':
      return [];
    case 'deleted':
      return [change, { ...change, occurredAt: later, deleted: true }];
    case 'corrected':
      return [
        change,
        {
          ...change,
          occurredAt: later,
          landedAt: undefined,
          sequence: undefined,
          committedAt: new Date(
            Date.parse(landedAt) - 90 * MINUTE_MS,
          ).toISOString(),
        },
      ];
    default:
      return [change];
  }
}

/** Returns the events that a forge sends about the planned commits. */
export function changeEvents(origin: number, plans: CommitPlan[]): RawChange[] {
  return plans.flatMap((plan, index) => told(origin, plan, index));
}
