import { NotFoundError } from '@backstage/errors';
import { AuthResolverContext } from '@backstage/plugin-auth-node';
import { createCatalogSignInResolver } from './signInResolver';

/** Returns a context whose catalog finds its users only after this number of lookups. */
function catalogThatAnswersAfter(questions: number) {
  let asked = 0;
  const context: Pick<AuthResolverContext, 'signInWithCatalogUser'> = {
    async signInWithCatalogUser() {
      asked += 1;
      if (asked <= questions) {
        throw new NotFoundError('User not found');
      }
      return { token: 'token-of-ada' };
    },
  };
  return context as AuthResolverContext;
}

const info = { profile: {}, result: { userName: 'ada' } };

describe('createCatalogSignInResolver', () => {
  it('waits for the catalog of a platform that has just started', async () => {
    const resolver = createCatalogSignInResolver({ waitMs: 5_000 });
    await expect(resolver(info, catalogThatAnswersAfter(2))).resolves.toEqual({
      token: 'token-of-ada',
    });
  });

  it('does not wait later on', async () => {
    const resolver = createCatalogSignInResolver({ startedAt: 0 });
    await expect(resolver(info, catalogThatAnswersAfter(2))).rejects.toThrow(
      "No user 'ada' in the catalog",
    );
  });
});
