import { type Static, Type } from 'typebox';

/** The builds of a job to keep: those within both limits, or all without a limit. */
export const DiscardPolicySchema = Type.Object(
  {
    /** The number of newest builds to keep. */
    keepBuilds: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
    /** The days to keep builds after their end. */
    keepDays: Type.Optional(Type.Integer({ minimum: 1, maximum: 36_500 })),
  },
  { additionalProperties: false },
);
export type DiscardPolicy = Static<typeof DiscardPolicySchema>;

/** Returns the policy of a job: each limit is the job's own, or the default. */
export function policyOf(
  job: { discardOldBuilds?: DiscardPolicy },
  common: DiscardPolicy,
): DiscardPolicy {
  return { ...common, ...job.discardOldBuilds };
}
