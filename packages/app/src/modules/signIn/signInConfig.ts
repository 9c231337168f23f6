import { ConfigApi } from '@backstage/frontend-plugin-api';

/** A user that development sign-in offers. */
export interface OfferedUser {
  name: string;
  displayName: string;
  description?: string;
}

/** What `app.signIn` asks for; `none` when it says nothing. */
export type SignInConfig =
  | { method: 'none' }
  | { method: 'development'; users: OfferedUser[] };

/** Reads `app.signIn`. */
export function readSignInConfig(config: ConfigApi): SignInConfig {
  const signIn = config.getOptionalConfig('app.signIn');
  if (signIn?.getOptionalString('method') !== 'development') {
    return { method: 'none' };
  }
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
