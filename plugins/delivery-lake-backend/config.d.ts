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
      /** Levels by DORA's 2023 table, or by rank within the lake. Default: table. */
      levels?: 'table' | 'percentile';
      /** The lower bounds of the levels; hours, percent and deployments per week. */
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
      /** The senders, each with its secrets: any of several is good, for rotation. */
      [
        sender in
          'github' | 'gitlab' | 'gitea' | 'forgejo' | 'pagerduty' | 'jira'
      ]?: {
        /**
         * Secrets of the sender's webhooks. PagerDuty creates one for each webhook.
         * @deepVisibility secret
         */
        secrets?: string[];
        /** Labels that make an issue an incident; not of PagerDuty. Default: incident. */
        incidentLabels?: string[];
        /** Types that make an issue of Jira an incident. Default: Incident, [System] Incident. */
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
