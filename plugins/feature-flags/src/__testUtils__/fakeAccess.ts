import type {
  ApiToken,
  NewApiToken,
  NewToken,
  TokenCalls,
} from '../api/tokens';
import type { FlagUser, UserCalls } from '../api/user';
import type { FakeState } from './FakeState';

/** Answers calls from what a fake service holds. */
export function fakeAccess(state: FakeState): UserCalls & TokenCalls {
  return {
    async getUser(): Promise<FlagUser> {
      return state.answer('getUser', state.user);
    },

    async listTokens(): Promise<ApiToken[]> {
      return state.answer('listTokens', state.tokens);
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
      state.tokens = [state.answer('createToken', made), ...state.tokens];
      return { ...made, secret: '*:development.a-secret' };
    },

    async rotateToken(id: string): Promise<NewApiToken> {
      const token = state.answer(
        'rotateToken',
        state.tokens.find(each => each.id === id)!,
      );
      return { ...token, secret: '*:development.a-new-secret' };
    },

    async deleteToken(id: string): Promise<void> {
      state.answer('deleteToken', undefined);
      state.tokens = state.tokens.filter(token => token.id !== id);
    },
  };
}
