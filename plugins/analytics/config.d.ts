export interface Config {
  app?: {
    analytics?: {
      /** Where the portal says how it is used; without it, it does not. */
      slipway?: {
        /**
         * Address of the analytics service, as browsers reach it.
         * @visibility frontend
         */
        host: string;
        /**
         * Key of the project of the portal. It can send events and read none.
         * @visibility frontend
         */
        projectKey: string;
        /**
         * False switches it off.
         * @visibility frontend
         */
        enabled?: boolean;
      };
    };
  };
}
