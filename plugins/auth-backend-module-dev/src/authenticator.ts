import { InputError } from '@backstage/errors';
import {
  AuthResolverContext,
  createProxyAuthenticator,
  ProfileInfo,
} from '@backstage/plugin-auth-node';
import { UserEntity } from '@backstage/catalog-model';

/** The name of the user entity, in the default namespace, that asks to be signed in. */
export interface DevSignIn {
  userName: string;
}

const USER_NAME = /^[a-zA-Z0-9]([a-zA-Z0-9._-]{0,61}[a-zA-Z0-9])?$/;

/** What the catalog says of the user; the name alone while it does not know them. */
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
    // Whether there is such a user is for the sign-in resolver to say.
    return { displayName: userName };
  }
}

/**
 * Reads the user's name from `?user=`. There is no secret: whoever reaches the
 * back end is believed, which is why the module refuses to run in production.
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
