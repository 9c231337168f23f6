export interface Config {
  slipway?: {
    /** The portal as a client of the feature-flag service; without it flags have their defaults. */
    flags?: {
      /** The URL of the service's API, e.g. `http://localhost:4242/api`. */
      url: string;
      /**
       * A client token.
       * @visibility secret
       */
      token: string;
      /** Polling interval in seconds while the service's stream is unavailable; 15 by default. */
      refreshSeconds?: number;
      /** Maximum number of pages per process to which changes of flags are streamed; 5,000 by default. */
      mostPages?: number;
    };
  };
}
