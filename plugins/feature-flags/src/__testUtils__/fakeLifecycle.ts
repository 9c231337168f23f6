import type { FlagName } from '../api/flags';
import type { LifecycleCalls, Stage, StageEntry } from '../api/lifecycle';
import type { FakeState } from './FakeState';

/** Calls of the fake service, on its state. */
export function fakeLifecycle(state: FakeState): LifecycleCalls {
  const stagesOf = (name: string): StageEntry[] => {
    const { createdAt } = state.flags.find(flag => flag.name === name)!;
    const created = { stage: 'initial', enteredStageAt: createdAt } as const;
    return [created, ...(state.stages.get(name) ?? [])];
  };
  return {
    async listStages({
      archived,
    }: {
      archived: boolean;
    }): Promise<ReadonlyMap<string, Stage>> {
      const flags = state.flags.filter(flag => flag.archived === archived);
      return state.respond(
        'listStages',
        new Map(flags.map(({ name }) => [name, stagesOf(name).at(-1)!.stage])),
      );
    },

    async getLifecycle({ name }: FlagName): Promise<StageEntry[]> {
      return state.respond('getLifecycle', stagesOf(name));
    },
  };
}
