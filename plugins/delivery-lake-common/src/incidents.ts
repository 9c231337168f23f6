/** An incident as the pages show it. Times are ISO 8601. */
export interface IncidentDetails {
  /** `incident-…`. */
  id: string;
  title: string;
  /** The service it concerns; null when nobody said. */
  service: string | null;
  entityRef: string | null;
  team: string | null;
  project: string | null;
  environment: string;
  severity: string | null;
  startedAt: string;
  /** null while it is open. */
  resolvedAt: string | null;
  /** null while it is open. */
  durationSeconds: number | null;
  url: string | null;
  source: string;
  /** The deployment that caused it; null when none is known. */
  deployment: {
    id: string;
    version: string;
    endTime: string;
    /** True when linked by time instead of explicitly. */
    guessed: boolean;
  } | null;
}

/** Answer of `GET /incidents`: newest first, by cursor. */
export interface IncidentsResponse {
  incidents: IncidentDetails[];
  total: number;
  nextCursor: string | null;
}
