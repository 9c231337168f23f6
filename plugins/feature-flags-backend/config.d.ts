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
      /** Between two questions for changes; 15 when left out. */
      refreshSeconds?: number;
    };
  };
}
