export interface Config {
  app?: {
    /** The way of signing in that the front end offers. */
    signIn?: {
      /**
       * `development` offers the users below without a password and needs the
       * `dev` auth provider, which refuses to run in production. `oidc` sends
       * people to an OpenID Connect provider and needs the `oidc` auth provider.
       * @visibility frontend
       */
      method?: 'development' | 'oidc';
      /**
       * Display name of the OpenID Connect provider, for `oidc`.
       *
       * @visibility frontend
       */
      title?: string;
      /** Users that development sign-in offers, in this order. */
      users?: Array<{
        /**
         * Name of the user entity in the default namespace.
         * @visibility frontend
         */
        name: string;
        /** @visibility frontend */
        displayName: string;
        /** The user's role or permissions, in a few words. @visibility frontend */
        description?: string;
      }>;
    };
  };
}
