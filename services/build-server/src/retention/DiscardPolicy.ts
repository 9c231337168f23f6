import { type Static, Type } from 'typebox';

/** The builds of a job that are kept: those within both bounds, all without a bound. */
export const DiscardPolicySchema = Type.Object(
  {
    /** The number of newest builds that are kept. */
    keepBuilds: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
    /** The days for which builds are kept after their end. */
    keepDays: Type.Optional(Type.Integer({ minimum: 1, maximum: 36_500 })),
  },
  { additionalProperties: false },
);
export type DiscardPolicy = Static<typeof DiscardPolicySchema>;

/** What holds for a job: each bound is its own, else that of all jobs. */
export function policyOf(
  job: { discardOldBuilds?: DiscardPolicy },
  common: DiscardPolicy,
): DiscardPolicy {
  return { ...common, ...job.discardOldBuilds };
}
