import type { CallOptions, ServiceClient } from '@slipway/app-react';
import { type FlagName, projectPath } from './flags';

/** The stages of a flag, in order. */
export const STAGES = [
  'initial',
  'pre-live',
  'live',
  'completed',
  'archived',
] as const;
export type Stage = (typeof STAGES)[number];

/** A stage, and when the flag entered it. */
export interface StageEntry {
  stage: Stage;
  enteredStageAt: string;
}

/** The stages of flags. */
export interface LifecycleCalls {
  /** Reads the stage of each flag, by name. */
  listStages(
    query: { archived: boolean },
    options?: CallOptions,
  ): Promise<ReadonlyMap<string, Stage>>;
  /** Reads the stages that a flag has entered, in order. */
  getLifecycle(flag: FlagName, options?: CallOptions): Promise<StageEntry[]>;
}

/** {@link LifecycleCalls} of the service. */
export function lifecycleCalls(admin: ServiceClient): LifecycleCalls {
  return {
    async listStages(query, options) {
      const { features } = await admin.json<{
        features: { name: string; stage: Stage }[];
      }>('/lifecycle', { ...options, query });
      return new Map(features.map(({ name, stage }) => [name, stage]));
    },

    getLifecycle(flag, options) {
      return admin.json(`${projectPath(flag)}/lifecycle`, options);
    },
  };
}
