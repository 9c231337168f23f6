import type { Constraint } from './Flag.ts';

/** Named constraints that strategies share. Times are milliseconds since the Unix epoch. */
export interface Segment {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  /** The project it belongs to; null for all projects. */
  readonly project: string | null;
  readonly constraints: Constraint[];
  readonly createdBy: string;
  readonly createdAt: number;
  /** The revision of its latest change. */
  readonly revision: number;
}

/** A segment in the SDKs' format. */
export type ClientSegment = Pick<Segment, 'id' | 'name' | 'constraints'>;
