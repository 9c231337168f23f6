export interface Config {
  app?: {
    analytics?: {
      /** The service that receives page views of the portal; if omitted, none are sent. */
      slipway?: {
        /**
         * Address of the analytics service, as browsers reach it.
         * @visibility frontend
         */
        host: string;
        /**
         * Key of the portal's project. It can only send events, not read them.
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
