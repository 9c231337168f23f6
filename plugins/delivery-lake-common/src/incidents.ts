/** An incident in the format of the pages. Times are ISO 8601. */
export interface IncidentDetails {
  /** `incident-…`. */
  id: string;
  title: string;
  /** The affected service; null if not reported. */
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
  /** The deployment that caused it; null if unknown. */
  deployment: {
    id: string;
    version: string;
    endTime: string;
    /** True if it was linked based on time instead of explicitly. */
    guessed: boolean;
  } | null;
}

/** Response of `GET /incidents`: newest first, with a cursor. */
export interface IncidentsResponse {
  incidents: IncidentDetails[];
  total: number;
  nextCursor: string | null;
}
