import type {
  ApiToken,
  NewApiToken,
  NewToken,
  TokenCalls,
} from '../api/tokens';
import type { FlagUser, UserCalls } from '../api/user';
import type { FakeState } from './FakeState';

/** Calls of the fake service, on its state. */
export function fakeAccess(state: FakeState): UserCalls & TokenCalls {
  return {
    async getUser(): Promise<FlagUser> {
      return state.respond('getUser', state.user);
    },

    async listTokens(): Promise<ApiToken[]> {
      return state.respond('listTokens', state.tokens);
    },

    async createToken(token: NewToken): Promise<NewApiToken> {
      const made: ApiToken = {
        projects: ['*'],
        environment: 'development',
        ...token,
        id: `token-${state.tokens.length}`,
        createdBy: 'user:default/ada',
        createdAt: '2026-11-20T10:00:00.000Z',
      };
      state.tokens = [state.respond('createToken', made), ...state.tokens];
      return { ...made, secret: '*:development.a-secret' };
    },

    async rotateToken(id: string): Promise<NewApiToken> {
      const token = state.respond(
        'rotateToken',
        state.tokens.find(each => each.id === id)!,
      );
      return { ...token, secret: '*:development.a-new-secret' };
    },

    async deleteToken(id: string): Promise<void> {
      state.respond('deleteToken', undefined);
      state.tokens = state.tokens.filter(token => token.id !== id);
    },
  };
}
