export interface Config {
  app?: {
    /** Which way of signing in the front end offers. */
    signIn?: {
      /**
       * `development` offers the users below without a password and needs the
       * `dev` auth provider, which refuses to run in production.
       * @visibility frontend
       */
      method?: 'development';
      /** Users that development sign-in offers, in this order. */
      users?: Array<{
        /**
         * Name of the user entity in the default namespace.
         * @visibility frontend
         */
        name: string;
        /** @visibility frontend */
        displayName: string;
        /**
         * What the user is or may do, in a few words.
         * @visibility frontend
         */
        description?: string;
      }>;
    };
  };
}
