import { createHash } from 'node:crypto';
import {
  DeploymentStatus,
  IngestItemResult,
} from '@slipway/plugin-delivery-lake-common';

/** Most characters of each text of an event; keys fit the index of a database page. */
export const TEXT_LIMITS = {
  source: 128,
  externalId: 255,
  service: 255,
  repository: 255,
  environment: 64,
  version: 255,
  triggeredBy: 255,
  author: 255,
  message: 10_000,
  title: 1_000,
  severity: 64,
  url: 2_048,
} as const;

/** Most changes that one deployment can list. */
export const MAX_LISTED_CHANGES = 10_000;

/** Most items of one request. */
export const MAX_BATCH = 1_000;

/** A commit in hexadecimal, shortened or whole, SHA-1 or SHA-256. */
export const SHA_PATTERN = /^[0-9a-f]{7,64}$/i;

/** What the lake keeps records of. */
export type RecordKind = 'deployment' | 'change' | 'incident';

/**
 * What one event says about one record, in the lake's own words. A field that is
 * undefined is not spoken of; null says that there is none. All times are
 * milliseconds since the Unix epoch.
 */
interface EventBase {
  /** The system that reports: `jenkins`, `github`, `pagerduty`, … */
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
  /** The service as reported: a name, an entity ref or, where nothing better is known, the repository. */
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
  /** The moment at which the lead time starts. */
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

/** A change as all its events together tell it. Times in milliseconds. */
export interface ChangeRecord {
  repository: string;
  sha: string;
  message: string;
  author: string;
  /** null where nobody says: it has no lead time. */
  committedAt: number | null;
  /** Its place on its branch; see `changePosition`. */
  position: number;
  url: string | null;
  /** The time of the latest event. */
  revision: number;
}

/** A deployment as all its events together tell it. Times in milliseconds. */
export interface DeploymentRecord {
  source: string;
  externalId: string;
  service: string;
  environment: string;
  status: DeploymentStatus;
  startedAt: number;
  /** null while it runs. */
  finishedAt: number | null;
  version: string;
  triggeredBy: string;
  /** null where nothing is said of commits. */
  repository: string | null;
  commit: { sha: string; message: string; author: string } | null;
  /** Sorted; empty where it lists none. */
  changes: string[];
  /** External id; '' is the deployment before it. */
  rollbackOf: string | null;
  unplanned: boolean;
  url: string | null;
  /** The time of the latest event. */
  revision: number;
  /** Production, and it got there. */
  counted: boolean;
}

/** An incident as all its events together tell it. Times in milliseconds. */
export interface IncidentRecord {
  source: string;
  externalId: string;
  /** null where no event says: then the deployment that it links to may. */
  service: string | null;
  environment: string;
  title: string;
  severity: string | null;
  startedAt: number;
  /** null while it is open. */
  resolvedAt: number | null;
  link: DeploymentLink | null;
  url: string | null;
  /** The time of the latest event. */
  revision: number;
}

/** One item of a batch: an event, or why it could not be read. */
export type IngestItem =
  { event: LakeEvent } | { error: string; field?: string };

/**
 * Which record of its kind an event speaks of. Deployments and incidents are the
 * sender's; a change is the same whoever tells of it.
 */
export function recordKey(event: LakeEvent): string {
  return event.kind === 'change'
    ? JSON.stringify([event.repository, event.sha])
    : JSON.stringify([event.source, event.externalId]);
}

/** A text as PostgreSQL keeps it: without NUL and without halves of surrogate pairs. */
export function storable(text: string): string {
  return text.replaceAll('\0', '').replace(/\p{Surrogate}/gu, '\uFFFD');
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(sorted);
  }
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value)
        .filter(([, member]) => member !== undefined)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, member]) => [name, sorted(member)]),
    );
  }
  return value;
}

/** JSON with sorted members and without what is undefined: equal values, equal text. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(sorted(value));
}

/** An event with the text and the hash by which it is known. */
export interface DigestedEvent<E extends LakeEvent = LakeEvent> {
  event: E;
  /** The event in canonical form. */
  body: string;
  /** SHA-256 of `body` in hexadecimal: the same event twice is one. */
  digest: string;
}

/** Hashes an event. */
export function digestEvent<E extends LakeEvent>(event: E): DigestedEvent<E> {
  const body = canonicalJson(event);
  return {
    event,
    body,
    digest: createHash('sha256').update(body).digest('hex'),
  };
}

/** What a sender delivered, before anybody understood it; kept for replay. */
export interface RawDelivery {
  /** The interface that it came through: `github`, `cloudevents`, `devlake`, … */
  channel: string;
  /** The sender's word for what it is: `push`, `deployment_status`, … */
  type: string;
  /** The sender's id of the delivery; one that is known already changes nothing. */
  key: string;
  /** The body as received. */
  body: string;
  /** What else understanding it needs: headers, path parameters. */
  context?: Record<string, string>;
}

/** A delivery, with what was made of it. */
export interface JudgedDelivery extends RawDelivery {
  outcome: 'accepted' | 'ignored' | 'rejected';
  /** Why nothing was made of it. */
  reason?: string;
}

/** An event that is fit to be kept. */
export interface IncomingEvent extends DigestedEvent {
  /** Not the sender's own word but what it entails; counts for no sender. */
  implied?: boolean;
}

/** What is taken in together, wholly or not at all. */
export interface Intake {
  events: IncomingEvent[];
  delivery?: JudgedDelivery;
  /** Milliseconds since the Unix epoch. */
  receivedAt: number;
}

/** What became of an event. */
export interface TakenEvent {
  outcome: Exclude<IngestItemResult['outcome'], 'rejected'>;
  /** Public id of the deployment or incident, where there is one now. */
  id?: string;
}
