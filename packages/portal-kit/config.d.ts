export interface Config {
  slipway?: {
    /**
     * Entity refs of the groups whose members administer the platform.
     * Default: `group:default/platform-admins`.
     */
    adminGroups?: string[];
    /**
     * Limits of the portal API (ide-launcher, delivery-lake, catalog): requests
     * to the contract's routes in a fixed minute, counted per credential over the
     * three plugins. Calls between plugins and other routes do not count.
     */
    rateLimit?: {
      /** Default: true. */
      enabled?: boolean;
      /** Requests of one user. Default: 100. */
      userPerMinute?: number;
      /** Requests of one service token. Default: 1000. */
      servicePerMinute?: number;
      /** Requests of one address that shows no valid credential. Default: 100. */
      anonymousPerMinute?: number;
      /** The store of the counters; with `redis` replicas count together. Default: `memory`. */
      store?: 'memory' | 'redis';
      /**
       * Address of the Redis, `redis://user:password@host:port`; required with `store: redis`.
       * @visibility secret
       */
      redis?: string;
    };
  };
}
