import { useServiceChange, useServiceQuery } from '@slipway/app-react';
import { flagsApiRef } from '../api/FlagsApi';
import type { NewSegment } from '../api/segments';

/** Constraints that rules share, by their ids. */
export function useSegments() {
  return useServiceQuery(flagsApiRef, ['segments'], (api, call) =>
    api.listSegments(call),
  );
}

/** Creates a segment; one with an id is changed. */
export function useSaveSegment() {
  return useServiceChange(
    flagsApiRef,
    (api, { id, ...segment }: NewSegment & { id?: number }) =>
      id === undefined
        ? api.createSegment(segment)
        : api.updateSegment(id, segment),
  );
}

export function useDeleteSegment() {
  return useServiceChange(flagsApiRef, (api, id: number) =>
    api.deleteSegment(id),
  );
}
