export interface Config {
  slipway?: {
    /**
     * Entity refs of the groups whose members are platform admins. Default:
     * `group:default/platform-admins`.
     */
    adminGroups?: string[];
    /**
     * Rate limits of the portal API: the routes of the contract in ide-launcher, delivery-lake and
     * catalog. Requests are counted per credential across these three plugins. Other routes and
     * calls between plugins are not limited.
     */
    rateLimit?: {
      /** Default: true. */
      enabled?: boolean;
      /** Requests per minute for each user. Default: 100. */
      userPerMinute?: number;
      /** Requests per minute for each service token. Default: 1000. */
      servicePerMinute?: number;
      /** Requests per minute without a valid credential for each IP address. Default: 100. */
      anonymousPerMinute?: number;
      /** The store that counts requests; `redis` shares the counters between replicas. Default: `memory`. */
      store?: 'memory' | 'redis';
      /**
       * URL of the Redis server, `redis://user:password@host:port`; required with `store: redis`.
       * @visibility secret
       */
      redis?: string;
    };
  };
}
