/** The options of the pages' filters. */
export interface ScopesResponse {
  teams: { name: string; title: string; entityRef: string }[];
  projects: { name: string; title: string; entityRef: string }[];
  services: {
    name: string;
    entityRef: string | null;
    team: string | null;
    project: string | null;
  }[];
}

/** Response of `GET /status`: a summary of the lake's content. */
export interface LakeStatusResponse {
  deployments: number;
  changes: number;
  incidents: number;
  /** The number of services that no component in the catalog claims. */
  unmatchedServices: number;
  /** Each sender with the time of its last event. */
  sources: { source: string; lastEventAt: string; events: number }[];
  /** IANA name of the time zone of days. */
  timeZone: string;
  /** URL of this API for senders, without a trailing slash. */
  ingestUrl: string;
}

/** A reported service that no component in the catalog claims. Times are ISO 8601. */
export interface UnmatchedService {
  name: string;
  deployments: number;
  incidents: number;
  lastSeenAt: string;
  sources: string[];
  /** The reason: no component has that name, or several share the repository. */
  reason: 'unknown' | 'ambiguous';
  /** Possible components. */
  candidates: string[];
}

/** Response of `GET /unmatched`: data that is kept and listed until it is matched. */
export interface UnmatchedResponse {
  services: UnmatchedService[];
  /** Incidents without a known service or deployment. */
  incidents: { id: string; title: string; startedAt: string; source: string }[];
  totalIncidents: number;
  /** The number of production deployments without a change event for their commit. */
  deploymentsWithoutChange: number;
  /** Webhook deliveries that could not be read or contained no data for the lake, newest first. */
  deliveries: {
    id: string;
    channel: string;
    type: string;
    receivedAt: string;
    outcome: 'ignored' | 'rejected';
    reason: string;
  }[];
}

/** The result of one item of a batch. */
export interface IngestItemResult {
  index: number;
  /** `duplicate`: already known; `stale`: older than the known state, kept for replay. */
  outcome: 'accepted' | 'duplicate' | 'stale' | 'rejected';
  /** Id in the lake, if the item created or changed a record. */
  id?: string;
  /** Reason for its rejection, naming the field. */
  error?: string;
  /** Dotted path of the invalid field. */
  field?: string;
}

/** Response of all ingest routes. */
export interface IngestResponse {
  accepted: number;
  duplicates: number;
  stale: number;
  rejected: number;
  results: IngestItemResult[];
}
