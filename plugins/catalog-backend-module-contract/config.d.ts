export interface Config {
  slipway?: {
    catalog?: {
      /**
       * Folders whose descriptors may be registered as locations of type `file`, relative to the
       * backend's working directory. If empty, only locations of type `url` are allowed.
       */
      folders?: string[];
      /**
       * Namespaces whose entities, including users and groups, admins and service tokens may send
       * over HTTP. If empty, sending is disabled.
       */
      collections?: string[];
      /** Time limit for reading a descriptor and everything that it refers to. Default: 30 seconds. */
      readTimeout?: string | { seconds?: number; minutes?: number };
    };
  };
}
