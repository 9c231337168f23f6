export interface Config {
  proxy?: {
    /** The companion services that pages call at `/api/proxy/<name>`, keyed by `/<name>`. */
    endpoints?: {
      [route: string]: {
        /** The service's address. */
        target: string;
        /**
         * Milliseconds without any data after which the service counts as unavailable. Default:
         * 30000.
         */
        proxyTimeout?: number;
        /** Prefixes of the paths that are forwarded. Default: `/api/`. */
        paths?: string[];
      };
    };
  };
}
