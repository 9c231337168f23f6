import { InputError } from '@backstage/errors';
import {
  AuthResolverContext,
  createProxyAuthenticator,
  ProfileInfo,
} from '@backstage/plugin-auth-node';
import { UserEntity } from '@backstage/catalog-model';

/** The result of a development sign-in: the name of a user entity in the default namespace. */
export interface DevSignIn {
  userName: string;
}

const USER_NAME = /^[a-zA-Z0-9]([a-zA-Z0-9._-]{0,61}[a-zA-Z0-9])?$/;

/** Returns the user's profile from the catalog; only the name if the user is not found. */
async function profileOf(
  { userName }: DevSignIn,
  context: AuthResolverContext,
): Promise<ProfileInfo> {
  try {
    const { entity } = await context.findCatalogUser({
      entityRef: { name: userName, namespace: 'default' },
    });
    const { displayName, email, picture } =
      (entity as UserEntity).spec.profile ?? {};
    return { displayName: displayName ?? userName, email, picture };
  } catch {
    // The sign-in resolver reports missing users.
    return { displayName: userName };
  }
}

/**
 * Reads the user's name from `?user=`. There is no secret: every caller is trusted, which is why
 * the module refuses to run in production.
 */
export const devAuthenticator = createProxyAuthenticator({
  defaultProfileTransform: async (result: DevSignIn, context) => ({
    profile: await profileOf(result, context),
  }),
  initialize() {},
  async authenticate({ req }) {
    const { user } = req.query;
    if (typeof user !== 'string' || !USER_NAME.test(user)) {
      throw new InputError(
        'user must be the name of a user in the catalog, e.g. ?user=ada',
      );
    }
    return { result: { userName: user } };
  },
});
