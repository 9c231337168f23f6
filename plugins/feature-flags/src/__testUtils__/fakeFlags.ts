import type { ChangeRequest } from '../api/changeRequests';
import type { FlagCalls } from '../api/flagCalls';
import type {
  EnvironmentChange,
  EnvironmentDraft,
  Flag,
  FlagChanges,
  FlagEnvironment,
  FlagName,
  ListedFlag,
  NewFlag,
  ReadFlag,
} from '../api/flags';
import type { PlaygroundCalls, TryOut } from '../api/playground';
import { aFlag, etagOf, type FakeState } from './FakeState';

/** Answers calls from what a fake service holds. */
export function fakeFlags(state: FakeState): FlagCalls & PlaygroundCalls {
  return {
    async listFlags({
      archived,
    }: {
      archived: boolean;
    }): Promise<ListedFlag[]> {
      return state.answer(
        'listFlags',
        state.flags
          .filter(flag => flag.archived === archived)
          .map(flag => ({
            ...flag,
            tags: flag.tags ?? [],
            environments: environmentsOf(state, flag),
          })),
      );
    },

    async getFlag(name: string): Promise<ReadFlag> {
      const flag = state.flags.find(one => one.name === name);
      if (!flag) {
        await state.refuse('getFlag', { status: 404, message: 'No such flag' });
      }
      return state.answer('getFlag', { ...flag!, etag: etagOf(flag!) });
    },

    async getEnvironments({ name }: FlagName): Promise<FlagEnvironment[]> {
      const flag = state.flags.find(one => one.name === name)!;
      return state.answer('getEnvironments', environmentsOf(state, flag));
    },

    async changeEnvironment(
      { name }: FlagName,
      { environment, etag, ...changes }: EnvironmentChange,
    ): Promise<ChangeRequest | undefined> {
      state.answer('changeEnvironment', undefined);
      if (environment === 'production') {
        if (state.production.protected) {
          return request(state, name, changes);
        }
        state.production = { ...state.production, ...changes };
        return undefined;
      }
      await state.assertUnchanged(name, etag);
      state.put(name, changes);
      return undefined;
    },

    async createFlag(flag: NewFlag): Promise<Flag> {
      const created = state.answer('createFlag', aFlag(flag));
      state.flags = [...state.flags, created];
      return created;
    },

    async updateFlag(
      name: string,
      changes: FlagChanges,
      etag?: string,
    ): Promise<Flag> {
      state.answer('updateFlag', undefined);
      await state.assertUnchanged(name, etag);
      return state.put(name, changes);
    },

    async archiveFlag(name: string): Promise<Flag> {
      state.answer('archiveFlag', undefined);
      return state.put(name, { archived: true });
    },

    async reviveFlag(name: string): Promise<Flag> {
      state.answer('reviveFlag', undefined);
      return state.put(name, { archived: false });
    },

    async tryOut(): Promise<TryOut> {
      return state.answer('tryOut', state.tryOutResult);
    },
  };
}

/** What a flag is in the service's own environment and in production. */
function environmentsOf(state: FakeState, flag: Flag): FlagEnvironment[] {
  const { enabled, strategies, variants = [], problems } = flag;
  return [
    {
      name: 'development',
      type: 'development',
      protected: false,
      enabled,
      strategies,
      variants,
      problems,
      etag: etagOf(flag),
    },
    state.production,
  ];
}

function request(
  state: FakeState,
  featureName: string,
  changes: EnvironmentDraft,
): ChangeRequest {
  const { name, enabled, strategies, variants } = state.production;
  const before = { enabled, strategies, variants };
  const created: ChangeRequest = {
    id: state.requests.length + 1,
    featureName,
    environment: name,
    state: 'In review',
    createdBy: 'user:default/ada',
    createdAt: '2026-11-20T10:00:00.000Z',
    updatedAt: '2026-11-20T10:00:00.000Z',
    scheduledAt: null,
    endedBy: null,
    requiredApprovals: 1,
    approvals: [],
    mayApprove: true,
    reviews: [],
    change: { before, after: { ...before, ...changes } },
  };
  state.requests = [created, ...state.requests];
  return created;
}
