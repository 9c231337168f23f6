import {
  DeploymentStatus,
  FailureCause,
  ReworkCause,
} from '@slipway/plugin-delivery-lake-common';
import { Period } from '../days/period';
import { LakeService, ServiceIds } from '../scope/ScopeResolver';

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

/** Reads what was deployed and what broke. */
export interface HistoryStore {
  /** Deployments of services, those that started last first. */
  history(request: {
    services: number[];
    environment?: string;
    limit: number;
  }): Promise<{ deployments: StoredDeployment[]; total: number }>;
  /** Lists deployments by the moment they finished or, where they have not, started; newest first. */
  deployments(
    filter: DeploymentFilter,
    page: PageRequest,
  ): Promise<StoredDeployment[]>;
  countDeployments(filter: DeploymentFilter): Promise<number>;
  /** @param id - `deploy-…`. */
  deployment(id: string): Promise<StoredDeployment | undefined>;
  /** The changes that a deployment brought to production first, latest first. */
  changesOf(
    deploymentRowId: number,
    limit: number,
  ): Promise<{ changes: StoredChange[]; total: number }>;
  /** Lists incidents by the moment they began, newest first. */
  incidents(
    filter: IncidentFilter,
    page: PageRequest,
  ): Promise<StoredIncident[]>;
  countIncidents(filter: IncidentFilter): Promise<number>;
}
