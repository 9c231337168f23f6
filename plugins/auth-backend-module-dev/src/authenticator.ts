import { InputError } from '@backstage/errors';
import { createProxyAuthenticator } from '@backstage/plugin-auth-node';

/** Who asks to be signed in: the name of a user entity in the default namespace. */
export interface DevSignIn {
  userName: string;
}

const USER_NAME = /^[a-zA-Z0-9]([a-zA-Z0-9._-]{0,61}[a-zA-Z0-9])?$/;

/**
 * Reads the user's name from `?user=`. There is no secret: whoever reaches the
 * back end is believed, which is why the module refuses to run in production.
 */
export const devAuthenticator = createProxyAuthenticator({
  defaultProfileTransform: async (result: DevSignIn) => ({
    profile: { displayName: result.userName },
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
