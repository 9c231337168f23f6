import type { ParameterDefinition } from './types';

/** A decision that a build waits for or waited for. Times are milliseconds since the Unix epoch. */
export interface Approval {
  step: string;
  /** The question. */
  message: string;
  state: 'waiting' | 'approved' | 'rejected';
  openedAt: number;
  /** Users and groups who may decide; null for whoever may run the job. */
  by: string[] | null;
  inputs: ParameterDefinition[];
  /** True if the reader may decide now. */
  decidable: boolean;
  decidedBy: string | null;
  decidedAt: number | null;
  comment: string | null;
  values: Record<string, string>;
}

/** What a person says to an {@link Approval}. */
export interface Decision {
  step: string;
  decision: 'approve' | 'reject';
  comment?: string;
  inputs?: Record<string, string>;
}
