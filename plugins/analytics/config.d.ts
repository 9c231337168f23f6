export interface Config {
  app?: {
    analytics?: {
      /** The analytics service that receives page views of the portal. If omitted, none are sent. */
      slipway?: {
        /**
         * URL at which browsers reach the analytics service.
         * @visibility frontend
         */
        host: string;
        /**
         * Key of the portal's project. It is public: it can only be used to send events, not to read them.
         * @visibility frontend
         */
        projectKey: string;
        /**
         * Whether page views are sent. Default: true.
         * @visibility frontend
         */
        enabled?: boolean;
      };
    };
  };
}
