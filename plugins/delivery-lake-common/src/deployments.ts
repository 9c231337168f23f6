/**
 * Annotation with the names under which pipelines and incident tools report a component, separated
 * by commas, if they differ from the entity's name.
 */
export const DELIVERY_SERVICE_ANNOTATION = 'slipway.dev/delivery-service';

export const DEPLOYMENT_STATUSES = [
  'PENDING',
  'IN_PROGRESS',
  'SUCCESS',
  'FAILURE',
  'CANCELLED',
  'ROLLED_BACK',
] as const;

export type DeploymentStatus = (typeof DEPLOYMENT_STATUSES)[number];

/** The environments that the contract's filter accepts. */
export const ENVIRONMENTS = ['dev', 'staging', 'prod'] as const;

/** An element of the contract's deployment history. Times are ISO 8601. */
export interface Deployment {
  /** `deploy-…`. */
  id: string;
  version: string;
  /** dev, staging or prod; other environments have their reported name. */
  environment: string;
  status: DeploymentStatus;
  startTime: string;
  /** null while it is running. */
  endTime: string | null;
  /** Whole seconds; null while it is running. */
  duration: number | null;
  triggeredBy: string;
  commit: { sha: string; message: string; author: string };
}

/** Response of `GET /deployment-history`. */
export interface DeploymentHistoryResponse {
  /** The requested service. */
  service: string;
  deployments: Deployment[];
  /** The number of matching deployments. */
  total: number;
}

/** The evidence that a deployment failed. */
export type FailureCause = 'incident' | 'rollback' | 'guess';
/**
 * Reason why a deployment counts as rework: its sender declared it, it rolls back another
 * one, or an incident of its service was open when it began.
 */
export type ReworkCause = 'declared' | 'rollback' | 'guess';

/** A deployment in the format of the pages. Times are ISO 8601. */
export interface DeploymentDetails extends Deployment {
  service: string;
  /** Entity ref of the component, if it is in the catalog. */
  entityRef: string | null;
  team: string | null;
  project: string | null;
  repository: string | null;
  url: string | null;
  source: string;
  /** True if it counts for the metrics: it reached production, even if it was rolled back later. */
  counted: boolean;
  failed: boolean;
  /** null if it did not fail; `guess`: an incident began soon after it. */
  failureCause: FailureCause | null;
  rework: boolean;
  reworkCause: ReworkCause | null;
  /** Time at which the failure that it caused was resolved. */
  recoveredAt: string | null;
  /** Incidents attributed to it. */
  incidents: { id: string; title: string; guessed: boolean }[];
}

/** Response of `GET /deployments`: newest first, with a cursor. */
export interface DeploymentsResponse {
  deployments: DeploymentDetails[];
  total: number;
  /** Pass it as `cursor` to get the next page; null at the end. */
  nextCursor: string | null;
}

/**
 * Response of `GET /running`: the last successful deployment of each component to each environment,
 * newest first.
 */
export interface RunningResponse {
  deployments: DeploymentDetails[];
  /** True if the scope has more services than are included. */
  truncated: boolean;
}

/** A change that first reached production with a deployment. Times are ISO 8601. */
export interface DeliveredChange {
  sha: string;
  repository: string;
  message: string;
  /** null, like the times, for users who do not own the service. */
  author: string | null;
  committedAt: string | null;
  url: string | null;
  /** Seconds from commit to production; also null if the times are inconsistent. */
  leadTimeSeconds: number | null;
}

/** Response of `GET /deployments/{id}`. */
export interface DeploymentResponse {
  deployment: DeploymentDetails;
  changes: DeliveredChange[];
  /** The total number of changes; `changes` contains the first hundred. */
  totalChanges: number;
}
