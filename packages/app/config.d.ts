export interface Config {
  app?: {
    /** How users sign in. */
    signIn?: {
      /**
       * `development` lets people sign in as any of the users below without a password. It
       * needs the `dev` auth provider, which refuses to run in production. `oidc` sends people
       * to an OpenID Connect provider and needs the `oidc` auth provider.
       * @visibility frontend
       */
      method?: 'development' | 'oidc';
      /**
       * Display name of the OpenID Connect provider, for `oidc`.
       *
       * @visibility frontend
       */
      title?: string;
      /** Users that `development` offers, in this order. */
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
