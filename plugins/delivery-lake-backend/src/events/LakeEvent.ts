import { DeploymentStatus } from '@slipway/plugin-delivery-lake-common';

/** What the lake keeps records of. */
export type RecordKind = 'deployment' | 'change' | 'incident';

/**
 * What one event says about one record, in the lake's own words. A field that is
 * undefined is not spoken of; null says that there is none. All times are
 * milliseconds since the Unix epoch.
 */
interface EventBase {
  /** Who reports: `jenkins`, `github`, `pagerduty`, … */
  source: string;
  /** The sender's key of the record. With kind and source it names the record. */
  externalId: string;
  /** When the sender says it was so. Of two events that speak of one field the later one wins. */
  occurredAt: number;
  /** true: the record never was (a tombstone). */
  deleted?: boolean;
}

/** A commit as a deployment or a push tells of it. */
export interface CommitFields {
  sha: string;
  message?: string;
  author?: string;
  committedAt?: number;
}

/** What one event says of a deployment: beginning and end may come as two. */
export interface DeploymentEvent extends EventBase {
  kind: 'deployment';
  /** As reported: a name, an entity ref or, where nothing better is known, the repository. */
  service?: string;
  /** dev, staging or prod, or else as reported in lower case. */
  environment?: string;
  status?: DeploymentStatus;
  startedAt?: number;
  finishedAt?: number;
  version?: string;
  triggeredBy?: string;
  /** `owner/name` or another stable name of the repository that `commit` is in. */
  repository?: string;
  commit?: CommitFields;
  /** SHAs of exactly the changes it brought, where the pipeline knows them. */
  changes?: string[];
  /** It rolled back a deployment: that one's external id, or true for the one before it. */
  rollbackOf?: string | true;
  /** Made to repair production. */
  unplanned?: boolean;
  url?: string;
}

/** A commit on the branch that is deployed. Repository and SHA name it, whoever tells of it. */
export interface ChangeEvent extends EventBase {
  kind: 'change';
  repository: string;
  sha: string;
  message?: string;
  author?: string;
  /** Where the lead time starts. */
  committedAt?: number;
  /** When it came to the branch that is deployed. Default: `committedAt`. */
  landedAt?: number;
  /** Order among changes that landed at the same moment, from 0. */
  sequence?: number;
  url?: string;
}

/** Names the deployment that caused an incident: by key, by id of the lake, or by commit. */
export interface DeploymentLink {
  source?: string;
  externalId?: string;
  /** `deploy-…`. */
  id?: string;
  sha?: string;
}

/** What one event says of an incident: its end may come as another. */
export interface IncidentEvent extends EventBase {
  kind: 'incident';
  service?: string;
  environment?: string;
  title?: string;
  severity?: string;
  startedAt?: number;
  /** null: it is open again. */
  resolvedAt?: number | null;
  /** What caused it; null takes back what was said before. */
  deployment?: DeploymentLink | null;
  url?: string;
}

/** What senders of every kind are translated to; `kind` tells them apart. */
export type LakeEvent = DeploymentEvent | ChangeEvent | IncidentEvent;
