export interface Config {
  slipway?: {
    /** The service from which the portal reads its own flags. If omitted, they have their default values. */
    flags?: {
      /** The URL of the service's API, e.g. `http://localhost:4242/api`. */
      url: string;
      /**
       * A client token of the service.
       * @visibility secret
       */
      token: string;
      /** Polling interval, in seconds, while the service's stream is unavailable. Default: 15. */
      refreshSeconds?: number;
      /** Maximum number of open pages per process to which flag changes are streamed. Default: 5,000. */
      mostPages?: number;
    };
  };
}
