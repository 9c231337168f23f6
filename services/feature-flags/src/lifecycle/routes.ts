import { isoOf } from '@slipway/entity-contract';
import type { ServiceApp } from '@slipway/service-kit';
import { Type } from 'typebox';
import type { FlagAdmin } from '../flags/FlagAdmin.ts';
import { FeaturePath } from '../flags/featureSchemas.ts';
import { FlagListQuery } from '../flags/schemas.ts';
import type { Flag } from '../model/Flag.ts';
import {
  type Stage,
  type StageEntry,
  STAGES,
  stagesOf,
} from '../model/Lifecycle.ts';
import type { StageStore } from '../storage/StageStore.ts';
import type { FlagAccess } from '../tokens/access.ts';

/** Usage by minute is kept for two hours; stages from earlier usage are recorded every hour. */
const RECENT_MS = 2 * 3_600_000;

const entry = {
  stage: Type.Unsafe<Stage>(Type.String({ enum: [...STAGES] })),
  enteredStageAt: Type.String({ format: 'date-time' }),
};

const Lifecycle = Type.Array(Type.Object(entry), {
  description: 'The stages that it has entered, in order.',
});

const Lifecycles = Type.Object({
  features: Type.Array(Type.Object({ name: Type.String(), ...entry })),
});

const NONE: ReadonlyMap<Stage, number> = new Map();

/** Adds the stages of flags, from their creation until they are archived, as in Unleash's admin API. */
export function lifecycleRoutes(
  app: ServiceApp,
  options: {
    flags: FlagAdmin;
    stages: StageStore;
    access: FlagAccess;
    now: () => number;
  },
): void {
  const { flags, stages, access, now } = options;
  const config = { access: access.read };
  const tags = ['features'];
  const read = async (flag?: string) => {
    await stages.record({ span: 'minute', from: now() - RECENT_MS });
    const entered = await stages.entered(flag);
    return (each: Flag) =>
      stagesOf(each, entered.get(each.name) ?? NONE).map(present);
  };

  app.get(
    '/api/admin/lifecycle',
    {
      config,
      schema: {
        tags,
        summary: 'List the stage of each flag, by name',
        querystring: FlagListQuery,
        response: { 200: Lifecycles },
      },
    },
    async ({ query }) => {
      const lifecycleOf = await read();
      return {
        features: (await flags.list(query)).map(flag => ({
          name: flag.name,
          ...lifecycleOf(flag).at(-1)!,
        })),
      };
    },
  );

  app.get(
    '/api/admin/projects/:projectId/features/:featureName/lifecycle',
    {
      config,
      schema: {
        tags,
        summary: 'List the stages of a flag, in order',
        params: FeaturePath,
        response: { 200: Lifecycle },
      },
    },
    async ({ params: { projectId, featureName } }) => {
      const flag = await flags.get(featureName, projectId);
      const lifecycleOf = await read(flag.name);
      return lifecycleOf(flag);
    },
  );
}

function present({ stage, enteredAt }: StageEntry) {
  return { stage, enteredStageAt: isoOf(enteredAt) };
}
