export interface Config {
  demo?: {
    /** Allows admins to load the demo organisation in production. Default: false. */
    production?: boolean;
    /** Entity refs of users who join the team Checkout, in addition to the user who loads the demo. */
    guests?: string[];
    /**
     * An existing repository with a commit to use for the broken release of the Checkout API, so
     * that a workspace can be opened at it. If omitted, that commit is invented like all others, and
     * workspaces use a public devfile without code.
     */
    showcase?: {
      /** URL of a devfile with a Git project, e.g. `https://git.example.org/shop/devfile.yaml`. */
      devfileUrl: string;
      /** The full SHA of a commit of that project. */
      commit: string;
    };
    spaceMetrics?: {
      /**
       * API key of the SPACE metrics service, which only accepts other users' answers with one. If
       * omitted, the demo writes no data there.
       *
       * @visibility secret
       */
      apiKey?: string;
    };
  };
}
