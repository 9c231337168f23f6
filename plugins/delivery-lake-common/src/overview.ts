/** What the filters of the pages can offer. */
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

/** Answer of `GET /status`: what the lake holds. */
export interface LakeStatusResponse {
  deployments: number;
  changes: number;
  incidents: number;
  /** Services that no component of the catalog claims. */
  unmatchedServices: number;
  /** Each sender with when it was last heard of. */
  sources: { source: string; lastEventAt: string; events: number }[];
  /** IANA name of the zone in which days begin. */
  timeZone: string;
  /** Address of this API for senders, without a trailing slash. */
  ingestUrl: string;
}

/** A reported service that no component claims. Times are ISO 8601. */
export interface UnmatchedService {
  name: string;
  deployments: number;
  incidents: number;
  lastSeenAt: string;
  sources: string[];
  /** Why: no component has that name, or several share the repository. */
  reason: 'unknown' | 'ambiguous';
  /** Components that might be meant. */
  candidates: string[];
}

/** Answer of `GET /unmatched`: kept, and shown until somebody says whose it is. */
export interface UnmatchedResponse {
  services: UnmatchedService[];
  /** Incidents that name no service and no deployment of the lake. */
  incidents: { id: string; title: string; startedAt: string; source: string }[];
  totalIncidents: number;
  /** Production deployments whose commit no change event has told of. */
  deploymentsWithoutChange: number;
  /** Webhook deliveries that could not be read or held nothing for the lake, newest first. */
  deliveries: {
    id: string;
    channel: string;
    type: string;
    receivedAt: string;
    outcome: 'ignored' | 'rejected';
    reason: string;
  }[];
}

/** What became of one item of a batch. */
export interface IngestItemResult {
  index: number;
  /** `duplicate`: known already; `stale`: older than what is known, kept for replay. */
  outcome: 'accepted' | 'duplicate' | 'stale' | 'rejected';
  /** Id in the lake, where the item made or touched a record. */
  id?: string;
  /** Why it was rejected, naming the field. */
  error?: string;
  /** Dotted path of the field at fault. */
  field?: string;
}

/** Answer of every ingest route. */
export interface IngestResponse {
  accepted: number;
  duplicates: number;
  stale: number;
  rejected: number;
  results: IngestItemResult[];
}
