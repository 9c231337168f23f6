import type { ParameterDefinition } from './types';

/** A pending or past approval of a build. Times are milliseconds since the Unix epoch. */
export interface Approval {
  step: string;
  /** The question to decide. */
  message: string;
  state: 'waiting' | 'approved' | 'rejected';
  openedAt: number;
  /** Users and groups who may decide; null for everyone who may run the job. */
  by: string[] | null;
  inputs: ParameterDefinition[];
  /** True if its step has ended without a decision. */
  expired: boolean;
  /** True if the reader may decide now. */
  decidable: boolean;
  decidedBy: string | null;
  decidedAt: number | null;
  comment: string | null;
  values: Record<string, string>;
}

/** A person's decision on an {@link Approval}. */
export interface Decision {
  step: string;
  decision: 'approve' | 'reject';
  comment?: string;
  inputs?: Record<string, string>;
}
