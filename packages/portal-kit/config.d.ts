export interface Config {
  slipway?: {
    /**
     * Entity refs of the groups whose members administer the platform.
     * Default: `group:default/platform-admins`.
     */
    adminGroups?: string[];
  };
}
