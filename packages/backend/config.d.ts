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
  inbox?: {
    /** The parts that report what needs a user, by the title that Home shows. */
    parts?: {
      title: string;
      /** Id of a plugin of this portal; or `service`. */
      plugin?: string;
      /** Name of a service in `proxy.endpoints`. */
      service?: string;
    }[];
    /** Sends a notification about each new item. Default: true. */
    notifications?: boolean;
  };
}
