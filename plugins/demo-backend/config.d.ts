export interface Config {
  demo?: {
    /** Allows admins to load the demo organisation in production. Default: false. */
    production?: boolean;
    /** Entity references of people who join its team Checkout, in addition to the user who loads it. */
    guests?: string[];
    /**
     * An existing repository, so that a workspace can be opened at the commit of the broken
     * release of the Checkout API. Without it, that commit is invented like all others, and
     * workspaces use a public devfile and have no code.
     */
    showcase?: {
      /** URL of a devfile with a Git project, e.g. `https://git.example.org/shop/devfile.yaml`. */
      devfileUrl: string;
      /** The full SHA of a commit of that project. */
      commit: string;
    };
    spaceMetrics?: {
      /**
       * API key of the SPACE metrics, which is required to submit other users' answers. Without
       * it, the demo writes no data there.
       *
       * @visibility secret
       */
      apiKey?: string;
    };
  };
}
