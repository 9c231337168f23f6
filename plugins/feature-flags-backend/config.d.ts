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
      /** Seconds between two requests for changes while the stream of the service is down; 15 by default. */
      refreshSeconds?: number;
      /** Pages that follow flags at once, per process; 5,000 by default. */
      mostPages?: number;
    };
  };
}
