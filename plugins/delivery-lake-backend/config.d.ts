import { HumanDuration } from '@backstage/types';

export interface Config {
  deliveryLake?: {
    /** IANA name of the zone in which days begin. Default: UTC. */
    timeZone?: string;
    /**
     * Names under which senders report environments, in addition to the well-known
     * ones.
     */
    environments?: {
      prod?: string[];
      staging?: string[];
      dev?: string[];
    };
    ingest?: {
      /** Maximum time that a sender's clock may be ahead. Default: 5 minutes. */
      clockSkew?: HumanDuration | string;
      /**
       * Time after which received webhooks and CloudEvents that contained nothing for the lake are
       * deleted; a replay cannot read them again. Default: 90 days; 0: never.
       */
      keepUnused?: HumanDuration | string | 0;
    };
    dora?: {
      /**
       * Maximum time after a deployment for which an incident without an explicit link
       * is attributed to it, as a guess. Default: 24 hours; 0: never.
       */
      incidentWindow?: HumanDuration | string | 0;
      /** Assigns levels by DORA's 2023 table or by rank within the lake. Default: table. */
      levels?: 'table' | 'percentile';
      /** Thresholds of the levels, in deployments per week, hours or percent. */
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
      /**
       * The senders of webhooks. Each may have several valid secrets, so that they can be rotated.
       */
      [
        sender in
          'github' | 'gitlab' | 'gitea' | 'forgejo' | 'pagerduty' | 'jira'
      ]?: {
        /**
         * Secrets of the sender's webhooks. PagerDuty creates one for each webhook.
         * @deepVisibility secret
         */
        secrets?: string[];
        /** Labels that mark an issue as an incident; unused by PagerDuty. Default: incident. */
        incidentLabels?: string[];
        /** Jira issue types that are incidents. Default: Incident, [System] Incident. */
        issueTypes?: string[];
        /**
         * Treats a published release of a forge as a production deployment. Default: gitea and
         * forgejo, which do not report deployments.
         */
        releases?: 'deployments' | 'ignore';
      };
    };
  };
}
