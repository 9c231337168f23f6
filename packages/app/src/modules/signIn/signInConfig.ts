import { ConfigApi } from '@backstage/frontend-plugin-api';

/** A user that development sign-in offers. */
export interface OfferedUser {
  name: string;
  displayName: string;
  description?: string;
}

/** The configured sign-in; `none` if it is not configured. */
export type SignInConfig =
  | { method: 'none' }
  | { method: 'development'; users: OfferedUser[] }
  | { method: 'oidc'; title: string };

/** The name of an identity provider if the configuration has none. */
const DEFAULT_TITLE = 'single sign-on';

/** Reads `app.signIn`. */
export function readSignInConfig(config: ConfigApi): SignInConfig {
  const signIn = config.getOptionalConfig('app.signIn');
  switch (signIn?.getOptionalString('method')) {
    case 'development': {
      const users = signIn.getOptionalConfigArray('users') ?? [];
      return {
        method: 'development',
        users: users.map(user => ({
          name: user.getString('name'),
          displayName: user.getString('displayName'),
          description: user.getOptionalString('description'),
        })),
      };
    }
    case 'oidc':
      return {
        method: 'oidc',
        title: signIn.getOptionalString('title') ?? DEFAULT_TITLE,
      };
    default:
      return { method: 'none' };
  }
}
