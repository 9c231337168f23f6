import {
  DeploymentStatus,
  FailureCause,
  ReworkCause,
} from '@slipway/plugin-delivery-lake-common';
import { Period } from '../days/period';
import { ServiceIds } from '../scope/ScopeResolver';
import { LakeService } from '../storage/services';

/** A deployment as it is stored. Times are milliseconds since the Unix epoch. */
export interface StoredDeployment {
  /** Internal id. */
  rowId: number;
  /** `deploy-…`. */
  id: string;
  service: LakeService;
  environment: string;
  status: DeploymentStatus;
  startedAt: number;
  finishedAt: number | null;
  version: string;
  triggeredBy: string;
  repository: string | null;
  commit: { sha: string; message: string; author: string };
  url: string | null;
  source: string;
  counted: boolean;
  failureCause: FailureCause | null;
  failed: boolean;
  rework: boolean;
  reworkCause: ReworkCause | null;
  recoveredAt: number | null;
  incidents: { id: string; title: string; guessed: boolean }[];
}

/** A change with the lead time it had. */
export interface StoredChange {
  sha: string;
  repository: string;
  message: string;
  author: string;
  /** When it was committed or, where nobody said, when it landed. */
  committedAt: number;
  url: string | null;
  /** Milliseconds; null when the times make no sense. */
  leadTime: number | null;
}

/** An incident as it is stored. Times in milliseconds. */
export interface StoredIncident {
  rowId: number;
  /** `incident-…`. */
  id: string;
  title: string;
  service: LakeService | null;
  environment: string;
  severity: string | null;
  startedAt: number;
  resolvedAt: number | null;
  url: string | null;
  source: string;
  deployment: {
    id: string;
    version: string;
    endedAt: number;
    guessed: boolean;
  } | null;
}

/** What a list of deployments is narrowed to. */
export interface DeploymentFilter {
  services: ServiceIds;
  /** Finished in it or, where they have not, started in it. */
  period: Period;
  environment?: string;
  status?: DeploymentStatus;
  /** true: those that failed as the metrics count it; false: the others. */
  failed?: boolean;
  /** Found in service, version, commit, author, who triggered it or the sender's id. */
  text?: string;
}

/** What a list of incidents is narrowed to; `all` services holds those without one, too. */
export interface IncidentFilter {
  services: ServiceIds;
  /** Open at some moment of it. */
  period: Period;
  environment?: string;
  /** true: those that are not resolved; false: those that are. */
  open?: boolean;
  /** Found in title, service, severity or the sender's id. */
  text?: string;
}

/** The element of a list, newest first, behind which a page begins. */
export interface ListPosition {
  moment: number;
  rowId: number;
}

/** The part of a list that is wanted. */
export interface PageRequest {
  limit: number;
  after?: ListPosition;
}
