export interface Config {
  proxy?: {
    /** The companion services that pages call at `/api/proxy/<name>`, keyed by `/<name>`. */
    endpoints?: {
      [route: string]: {
        /** URL of the service, with http or https. */
        target: string;
        /**
         * Time without any data, in milliseconds, after which the service counts as unavailable.
         * Default: 30000.
         */
        proxyTimeout?: number;
        /** Prefixes of the paths to forward; no other paths are forwarded. Default: `/api/`. */
        paths?: string[];
      };
    };
  };
  inbox?: {
    /** Plugins and services that report what needs a user's attention. */
    parts?: {
      /** Name that the home page shows, e.g. if the part is unavailable. */
      title: string;
      /** ID of a plugin of this portal. Set either this or `service`. */
      plugin?: string;
      /** Name of a service in `proxy.endpoints`. */
      service?: string;
    }[];
    /** Notifies users of each new item. Default: true. */
    notifications?: boolean;
  };
}
