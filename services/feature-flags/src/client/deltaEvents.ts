import type { FlagSnapshot } from './FlagSnapshot.ts';
import { segmentsOf } from './FlagSnapshot.ts';
import { presentSegment, presentToClient } from './presentFlag.ts';
import type { ScopeQuery } from './scopeQuery.ts';
import { type ClientSegment, type Flag, revisionOf } from '../model/Flag.ts';

type Feature = ReturnType<typeof presentToClient>;

/** A change in the SDKs' format, or the full state. Ids are revisions. */
type DeltaEvent = { readonly eventId: number } & (
  | {
      readonly type: 'hydration';
      readonly features: Feature[];
      readonly segments: ClientSegment[];
    }
  | { readonly type: 'feature-updated'; readonly feature: Feature }
  | {
      readonly type: 'feature-removed';
      readonly featureName: string;
      readonly project: string;
    }
  | { readonly type: 'segment-updated'; readonly segment: ClientSegment }
  | { readonly type: 'segment-removed'; readonly segmentId: number }
);

/** The state known to an SDK, as encoded in entity tags and ids of streamed events. */
export interface DeltaPosition {
  /** The id of the database of the revision; undefined if the SDK sends only a number. */
  readonly lineage?: string;
  readonly revision: number;
}

/** Events, and the position of an SDK that has read them. */
export interface Delta {
  readonly events: readonly DeltaEvent[];
  readonly position: DeltaPosition;
}

/** Formats a position for an entity tag or the id of an event. */
export function writePosition({ lineage, revision }: DeltaPosition): string {
  return `${lineage?.slice(0, 8)}:${revision}`;
}

/** Parses a position, quoted or not; Edge sends only the revision. */
export function readPosition(
  text: string | string[] | undefined,
): DeltaPosition | undefined {
  const [, lineage, revision] =
    /^(?:W\/)?"?(?:([0-9a-f]{8}):)?(\d{1,15})"?$/.exec(String(text)) ?? [];
  return revision === undefined
    ? undefined
    : { lineage, revision: Number(revision) };
}

/** Checks whether a position is ahead of the state in memory, because it comes from another replica. */
export function isAhead(
  snapshot: FlagSnapshot,
  known: DeltaPosition | undefined,
): boolean {
  return (
    known !== undefined &&
    isSameLineage(snapshot, known) &&
    known.revision > snapshot.revision
  );
}

function isSameLineage(
  { lineage }: FlagSnapshot,
  known: DeltaPosition,
): boolean {
  return known.lineage === undefined || lineage.startsWith(known.lineage);
}

/** Checks whether all changes since a position are known. */
function isCovered(snapshot: FlagSnapshot, known: DeltaPosition): boolean {
  return (
    isSameLineage(snapshot, known) &&
    known.revision <= snapshot.revision &&
    known.revision >= snapshot.deletion
  );
}

/**
 * Lists the changes since a position, in order, or the full state if the position is
 * unknown. It is built from the current state, so a client that was disconnected or is
 * slow receives each item once.
 *
 * @throws UnavailableError while flags are being loaded.
 */
export function deltaSince(
  snapshot: FlagSnapshot,
  query: ScopeQuery,
  known?: DeltaPosition,
): Delta {
  const { lineage, revision } = snapshot;
  const { environment } = query;
  const { flags, archived, departed, segments } = snapshot.select(query);
  const position = { lineage, revision };
  const present = (flag: Flag) => presentToClient(flag, { environment });
  if (known === undefined || !isCovered(snapshot, known)) {
    return {
      position,
      events: [
        {
          eventId: revision,
          type: 'hydration',
          features: flags.map(present),
          segments: [...segments.values()].map(presentSegment),
        },
      ],
    };
  }
  const idOf = (flag: Flag) =>
    Math.min(revisionOf(flag, environment), revision);
  const changed = flags.filter(flag => idOf(flag) > known.revision);
  const segmentIds = new Map<number, number>();
  for (const segment of segments.values()) {
    if (segment.revision > known.revision) {
      segmentIds.set(segment.id, Math.min(segment.revision, revision));
    }
  }
  // Since this change, a flag may use a segment that the SDK does not know yet, or one that was
  // deleted but that the SDK still has.
  for (const flag of changed) {
    for (const id of segmentsOf(flag, environment)) {
      segmentIds.set(id, Math.min(segmentIds.get(id) ?? Infinity, idOf(flag)));
    }
  }
  const events: DeltaEvent[] = [
    ...[...segmentIds].map(([id, eventId]): DeltaEvent => {
      const segment = segments.get(id);
      return segment
        ? { eventId, type: 'segment-updated', segment: presentSegment(segment) }
        : { eventId, type: 'segment-removed', segmentId: id };
    }),
    ...changed.map((flag): DeltaEvent => ({
      eventId: idOf(flag),
      type: 'feature-updated',
      feature: present(flag),
    })),
    ...archived
      .filter(flag => idOf(flag) > known.revision)
      .map((flag): DeltaEvent => ({
        eventId: idOf(flag),
        type: 'feature-removed',
        featureName: flag.name,
        project: flag.project,
      })),
    ...departed
      .map(({ name, project, ...move }): DeltaEvent => ({
        eventId: Math.min(move.revision, revision),
        type: 'feature-removed',
        featureName: name,
        project,
      }))
      .filter(({ eventId }) => eventId > known.revision),
  ];
  // The sort is stable: segments come before the flags of the same change.
  return {
    position,
    events: events.sort((one, other) => one.eventId - other.eventId),
  };
}
