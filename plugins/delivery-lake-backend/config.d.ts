import { HumanDuration } from '@backstage/types';

export interface Config {
  deliveryLake?: {
    /** IANA name of the time zone in which days begin and end. Default: UTC. */
    timeZone?: string;
    /**
     * Additional names by which senders refer to each environment, ignoring case. Common names,
     * such as `live`, `qa` and `development`, are built in.
     */
    environments?: {
      prod?: string[];
      staging?: string[];
      dev?: string[];
    };
    ingest?: {
      /** Maximum time by which a sender's clock may be ahead. Default: 5 minutes. */
      clockSkew?: HumanDuration | string;
      /**
       * Time for which received webhooks and CloudEvents that contained no event for the lake are
       * kept. After that, a replay cannot read them again. Default: 90 days; 0: forever.
       */
      keepUnused?: HumanDuration | string | 0;
    };
    dora?: {
      /**
       * Maximum time between a deployment and an incident without an explicit link for the
       * incident to be attributed to the deployment, as a guess. Default: 24 hours; 0: no guesses.
       */
      incidentWindow?: HumanDuration | string | 0;
      /** Assigns levels by DORA's 2023 table or by rank among peers in the lake. Default: table. */
      levels?: 'table' | 'percentile';
      /**
       * Thresholds of the levels: minimum deployments per week for `deploymentFrequency`; for the
       * other metrics, a maximum in hours or, for rates, in percent.
       */
      thresholds?: {
        deploymentFrequency?: {
          elite?: number;
          high?: number;
          medium?: number;
        };
        leadTimeForChanges?: { elite?: number; high?: number; medium?: number };
        changeFailureRate?: { elite?: number; high?: number; medium?: number };
        timeToRestoreService?: {
          elite?: number;
          high?: number;
          medium?: number;
        };
        failedDeploymentRecoveryTime?: {
          elite?: number;
          high?: number;
          medium?: number;
        };
        deploymentReworkRate?: {
          elite?: number;
          high?: number;
          medium?: number;
        };
      };
    };
    webhooks?: {
      /** Settings of each sender of webhooks. */
      [
        sender in
          'github' | 'gitlab' | 'gitea' | 'forgejo' | 'pagerduty' | 'jira'
      ]?: {
        /**
         * Secrets with which the sender signs its webhooks. All of them are valid, so that they can
         * be rotated. PagerDuty creates one for each webhook.
         * @deepVisibility secret
         */
        secrets?: string[];
        /** Labels that mark an issue as an incident; not used for PagerDuty. Default: incident. */
        incidentLabels?: string[];
        /** Jira issue types that are incidents. Default: Incident, [System] Incident. */
        issueTypes?: string[];
        /**
         * Whether a published release of a forge counts as a production deployment. Default:
         * `deployments` for gitea and forgejo, which do not report deployments; otherwise `ignore`.
         */
        releases?: 'deployments' | 'ignore';
      };
    };
  };
}
