const KEY = 'slipway.signIn.user';

/**
 * Who signed in last, kept in the browser so that a reload or another tab
 * continues the session. Only the name is kept, never a token.
 */
export const rememberedUser = {
  get: (): string | null => window.localStorage.getItem(KEY),
  set: (user: string): void => window.localStorage.setItem(KEY, user),
  forget: (): void => window.localStorage.removeItem(KEY),
};
