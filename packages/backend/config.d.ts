export interface Config {
  proxy?: {
    /** The companion services that pages reach at `/api/proxy/<name>`, by `/<name>`. */
    endpoints?: {
      [route: string]: {
        /** The service's address. */
        target: string;
        /** Milliseconds without a word after which it counts as gone. Default: 30000. */
        proxyTimeout?: number;
        /** Beginnings of the paths that are passed on. Default: `/api/`. */
        paths?: string[];
      };
    };
  };
}
