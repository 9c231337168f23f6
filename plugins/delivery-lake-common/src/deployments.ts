export const DEPLOYMENT_STATUSES = [
  'PENDING',
  'IN_PROGRESS',
  'SUCCESS',
  'FAILURE',
  'CANCELLED',
  'ROLLED_BACK',
] as const;

export type DeploymentStatus = (typeof DEPLOYMENT_STATUSES)[number];

/** The values the contract's filter takes. */
export const ENVIRONMENTS = ['dev', 'staging', 'prod'] as const;

/** An element of the contract's deployment history. Times are ISO 8601. */
export interface Deployment {
  /** `deploy-…`. */
  id: string;
  version: string;
  /** dev, staging or prod; what is none of them stands as it was reported. */
  environment: string;
  status: DeploymentStatus;
  startTime: string;
  /** null while it runs. */
  endTime: string | null;
  /** Whole seconds; null while it runs. */
  duration: number | null;
  triggeredBy: string;
  commit: { sha: string; message: string; author: string };
}

/** Answer of `GET /deployment-history`. */
export interface DeploymentHistoryResponse {
  /** The service that was asked for. */
  service: string;
  deployments: Deployment[];
  /** How many match. */
  total: number;
}

/** How a failure or a repair was recognised. */
export type FailureCause = 'incident' | 'rollback' | 'guess';
/**
 * Why a deployment counts as a repair: its sender says so, it rolls another one back, or
 * an incident of its service was open when it began.
 */
export type ReworkCause = 'declared' | 'rollback' | 'guess';

/** A deployment as the pages show it. Times are ISO 8601. */
export interface DeploymentDetails extends Deployment {
  service: string;
  /** Entity ref of the component, where the catalog knows it. */
  entityRef: string | null;
  team: string | null;
  project: string | null;
  repository: string | null;
  url: string | null;
  source: string;
  /** Counted by the metrics: production, and it got there. */
  counted: boolean;
  failed: boolean;
  /** null unless failed; `guess`: an incident that began soon after it. */
  failureCause: FailureCause | null;
  rework: boolean;
  reworkCause: ReworkCause | null;
  /** When what it broke was restored. */
  recoveredAt: string | null;
  /** Incidents attributed to it. */
  incidents: { id: string; title: string; guessed: boolean }[];
}

/** Answer of `GET /deployments`: newest first, by cursor. */
export interface DeploymentsResponse {
  deployments: DeploymentDetails[];
  total: number;
  /** Give it as `cursor` for the next page; null at the end. */
  nextCursor: string | null;
}

/** A change that a deployment brought to production first. Times are ISO 8601. */
export interface DeliveredChange {
  sha: string;
  repository: string;
  message: string;
  /** null, as the times are, for a reader who does not own the service. */
  author: string | null;
  committedAt: string | null;
  url: string | null;
  /** Seconds from commit to production; null too when the times make no sense. */
  leadTimeSeconds: number | null;
}

/** Answer of `GET /deployments/{id}`. */
export interface DeploymentResponse {
  deployment: DeploymentDetails;
  changes: DeliveredChange[];
  /** How many changes it brought; `changes` holds the first hundred. */
  totalChanges: number;
}
