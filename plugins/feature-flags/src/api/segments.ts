import type { ServiceClient, CallOptions } from '@slipway/app-react';
import type { Constraint, FlagProblem } from './flags';

/** Named constraints that rules share. */
export interface Segment {
  id: number;
  name: string;
  description: string;
  constraints: readonly Constraint[];
  problems?: readonly FlagProblem[];
  /** The entity tag of the segment that was read. */
  etag?: string;
}

export type NewSegment = Pick<Segment, 'name' | 'description' | 'constraints'>;

/** Segments. */
export interface SegmentCalls {
  listSegments(options?: CallOptions): Promise<Segment[]>;
  createSegment(segment: NewSegment): Promise<Segment>;
  /**
   * Changes the given fields.
   *
   * @param etag - the entity tag of the segment that was read; 412 if it has changed since.
   */
  updateSegment(
    id: number,
    changes: Partial<NewSegment>,
    etag?: string,
  ): Promise<Segment>;
  /** Rejects with 409 if a rule uses the segment. */
  deleteSegment(id: number): Promise<void>;
}

/** {@link SegmentCalls} of the service. */
export function segmentCalls(admin: ServiceClient): SegmentCalls {
  return {
    async listSegments(options) {
      const { segments } = await admin.json<{ segments: Segment[] }>(
        '/segments',
        options,
      );
      return segments;
    },

    createSegment(segment) {
      return admin.json('/segments', { method: 'POST', body: segment });
    },

    updateSegment(id, changes, etag) {
      return admin.json(`/segments/${id}`, {
        method: 'PUT',
        body: changes,
        ifMatch: etag,
      });
    },

    async deleteSegment(id) {
      await admin.json(`/segments/${id}`, { method: 'DELETE' });
    },
  };
}
