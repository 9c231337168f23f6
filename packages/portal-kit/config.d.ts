export interface Config {
  slipway?: {
    /**
     * Entity refs of the groups whose members are platform admins. Default:
     * `group:default/platform-admins`.
     */
    adminGroups?: string[];
    /**
     * Rate limits of the portal API (ide-launcher, delivery-lake, catalog): requests per minute to
     * the contract's routes, counted per credential across the three plugins. Calls between plugins
     * and other routes are not counted.
     */
    rateLimit?: {
      /** Default: true. */
      enabled?: boolean;
      /** Requests per minute of a user. Default: 100. */
      userPerMinute?: number;
      /** Requests per minute of a service token. Default: 1000. */
      servicePerMinute?: number;
      /** Requests per minute of an address without a valid credential. Default: 100. */
      anonymousPerMinute?: number;
      /** The store of the request counters; `redis` shares the counters across replicas. Default: `memory`. */
      store?: 'memory' | 'redis';
      /**
       * Address of the Redis server, `redis://user:password@host:port`; required with `store: redis`.
       * @visibility secret
       */
      redis?: string;
    };
  };
}
