import { type Static, Type } from 'typebox';

/** Which builds of a job are kept; those of either bound go. Without a bound all are. */
export const DiscardPolicySchema = Type.Object(
  {
    /** How many of the newest. */
    keepBuilds: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
    /** For how long after their end. */
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
