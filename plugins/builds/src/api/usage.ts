/** The usage of builds. */
export interface Usage {
  builds: number;
  /** Minutes that builds ran, excluding the time in which they waited for a person. */
  minutes: number;
  /** Builds that succeeded, were unstable or failed. */
  judged: number;
  succeeded: number;
}

/** Seconds that builds waited for an executor. */
export interface QueueTime {
  p50: number;
  p95: number;
}

/** A day, or a week of a long period; `YYYY-MM-DD`, both inclusive. */
export interface UsagePart extends Usage {
  from: string;
  to: string;
  queue: QueueTime | null;
  /** Average number of busy executors. */
  executors: number;
  /** False for a part that is not over yet. */
  isOver: boolean;
}

/** The usage of the builds that started in a period. */
export interface UsageReport {
  totals: Usage & { queue: QueueTime | null };
  parts: UsagePart[];
  /** Most minutes first. */
  jobs: (Usage & { job: string; team: string | null })[];
  teams: (Usage & { team: string | null })[];
  /** Bytes; null until they are counted. */
  disk: {
    logs: number;
    artifacts: number;
    caches: number;
    /** Milliseconds since the Unix epoch. */
    measuredAt: number;
  } | null;
}
