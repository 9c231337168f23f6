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
import type {
  FlagTable,
  PlaygroundCalls,
  TableQuery,
  TryOut,
} from '../api/playground';
import { aFlag, etagOf, type FakeState } from './FakeState';

/** Calls of the fake service, on its state. */
export function fakeFlags(state: FakeState): FlagCalls & PlaygroundCalls {
  return {
    async listFlags({
      archived,
    }: {
      archived: boolean;
    }): Promise<ListedFlag[]> {
      return state.respond(
        'listFlags',
        state.flags
          .filter(flag => flag.archived === archived)
          .map(flag => ({
            ...flag,
            dependencies: flag.dependencies ?? [],
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
      return state.respond('getFlag', { ...flag!, etag: etagOf(flag!) });
    },

    async getEnvironments({ name }: FlagName): Promise<FlagEnvironment[]> {
      const flag = state.flags.find(one => one.name === name)!;
      return state.respond('getEnvironments', environmentsOf(state, flag));
    },

    async changeEnvironment(
      { name }: FlagName,
      { environment, etag, ...changes }: EnvironmentChange,
    ): Promise<ChangeRequest | undefined> {
      state.respond('changeEnvironment', undefined);
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
      const created = state.respond('createFlag', aFlag(flag));
      state.flags = [...state.flags, created];
      return created;
    },

    async updateFlag(
      name: string,
      changes: FlagChanges,
      etag?: string,
    ): Promise<Flag> {
      state.respond('updateFlag', undefined);
      await state.assertUnchanged(name, etag);
      return state.put(name, changes);
    },

    async moveFlag({ name }: FlagName, project: string): Promise<void> {
      state.respond('moveFlag', undefined);
      state.put(name, { project });
    },

    async archiveFlag(name: string): Promise<Flag> {
      state.respond('archiveFlag', undefined);
      return state.put(name, { archived: true });
    },

    async reviveFlag(name: string): Promise<Flag> {
      state.respond('reviveFlag', undefined);
      return state.put(name, { archived: false });
    },

    async evaluateFlags(query: TableQuery): Promise<FlagTable> {
      state.evaluated.push(query);
      return state.respond('evaluateFlags', tableOf(state, query));
    },

    async tryOut(): Promise<TryOut> {
      return state.respond('tryOut', state.tryOutResult);
    },
  };
}

/** Returns the states of a flag in development and in production. */
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

/** Evaluates flags for a context with several user ids: rules match everyone but bob. */
function tableOf(state: FakeState, query: TableQuery): FlagTable {
  const { environments, projects, context } = query;
  const { userId = '', ...properties } = context;
  const users = userId.split(',').map(each => each.trim());
  const columns = environments.flatMap(environment =>
    users.map(user => ({
      environment,
      context: { ...(user && { userId: user }), properties },
    })),
  );
  return {
    columns,
    features: state.flags
      .filter(flag => projects.includes('*') || projects.includes(flag.project))
      .map(flag => ({
        name: flag.name,
        project: flag.project,
        results: columns.map(({ environment, context: { userId: user } }) => {
          const place = environmentsOf(state, flag).find(
            ({ name }) => name === environment,
          );
          const enabled = place?.enabled === true && user !== 'bob';
          const variant = state.variants.get(flag.name) ?? null;
          return {
            enabled,
            variant: enabled ? variant : null,
            random: state.random.has(flag.name),
          };
        }),
      })),
  };
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
