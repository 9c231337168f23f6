export interface Config {
  app?: {
    analytics?: {
      /** Address that page views of the portal are sent to; without it none are sent. */
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
