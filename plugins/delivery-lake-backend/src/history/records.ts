import {
  DeploymentStatus,
  FailureCause,
  ReworkCause,
} from '@slipway/plugin-delivery-lake-common';
import { Period } from '../days/period';
import { ServiceIds } from '../scope/ScopeResolver';
import { LakeService } from '../storage/services';

/** A deployment as the lake shows it. Times are milliseconds since the Unix epoch. */
export interface LakeDeployment {
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

/** A change with its lead time. */
export interface LakeChange {
  sha: string;
  repository: string;
  message: string;
  author: string;
  /** Commit time or, if unknown, landing time. */
  committedAt: number;
  url: string | null;
  /** The lead time in milliseconds; null if the times are inconsistent. */
  leadTime: number | null;
}

/** An incident as the lake shows it. Times are milliseconds since the Unix epoch. */
export interface LakeIncident {
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
  /** The sender's key. */
  externalId: string;
  deployment: {
    id: string;
    version: string;
    endedAt: number;
    guessed: boolean;
  } | null;
}

/** Filters of a list of deployments. */
export interface DeploymentFilter {
  services: ServiceIds;
  /** Includes deployments that finished in this period or, while running, started in it. */
  period: Period;
  environment?: string;
  status?: DeploymentStatus;
  /** true: only failures as counted by the metrics; false: only other deployments. */
  failed?: boolean;
  /** Words to find in the service, version, commit, author, triggering user or the sender's id. */
  text?: string;
}

/** Filters of a list of incidents; `all` services includes incidents without a service. */
export interface IncidentFilter {
  services: ServiceIds;
  /** Open at some moment of this period. */
  period: Period;
  environment?: string;
  /** true: only unresolved ones; false: only resolved ones. */
  open?: boolean;
  /** Words to find in the title, service, severity or the sender's id. */
  text?: string;
}

/** The element of a list, newest first, after which a page begins. */
export interface ListPosition {
  moment: number;
  rowId: number;
}

/** The requested part of a list. */
export interface PageRequest {
  limit: number;
  after?: ListPosition;
}
