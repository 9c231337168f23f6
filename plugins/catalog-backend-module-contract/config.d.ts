export interface Config {
  slipway?: {
    catalog?: {
      /**
       * Folders whose descriptors may be registered as locations of type `file`,
       * relative to the back end's working directory. Without any, locations are
       * of type `url` only.
       */
      folders?: string[];
      /** How long the reading of a descriptor may take, with all that it refers to. Default: 30 seconds. */
      readTimeout?: string | { seconds?: number; minutes?: number };
    };
  };
}
