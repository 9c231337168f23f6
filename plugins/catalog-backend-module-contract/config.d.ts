export interface Config {
  slipway?: {
    catalog?: {
      /**
       * Folders whose descriptors may be registered as locations of type `file`, relative to the
       * backend's working directory. If empty, only locations of type `url` are allowed.
       */
      folders?: string[];
      /**
       * Namespaces to which admins and service tokens may send entities over HTTP, including users
       * and groups. If empty, sending is disabled.
       */
      collections?: string[];
      /** Time limit for reading a descriptor and everything it refers to. Default: 30 seconds. */
      readTimeout?: string | { seconds?: number; minutes?: number };
    };
  };
}
