import type { Claim } from '../builds/Build.ts';
import type { Approval } from '../jobs/JobStep.ts';

/** A person's decision about a step. */
export interface Decision {
  isApproved: boolean;
  /** Entity reference or name of the user. */
  by: string;
  comment: string | null;
  /** Values of the inputs, for later steps. */
  values: Record<string, string>;
}

/** Asks for the decisions that running builds wait for. */
export interface Gates {
  /**
   * Asks for a decision; idempotent.
   *
   * @returns undefined while there is no decision.
   */
  ask(
    claim: Claim,
    gate: { step: string; approval: Approval },
  ): Promise<Decision | undefined>;
}
