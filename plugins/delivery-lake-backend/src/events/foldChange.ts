import { changePosition } from '../derivation/changePosition';
import { KnownEvent, latestWord, standingEvents } from './eventOrder';
import { ChangeEvent } from './LakeEvent';

/** A change as all its events together tell it. Times in milliseconds. */
export interface ChangeRecord {
  repository: string;
  sha: string;
  message: string;
  author: string;
  /** null where nobody says: it has no lead time. */
  committedAt: number | null;
  /** See {@link changePosition}. */
  position: number;
  url: string | null;
  /** The time of the latest event. */
  revision: number;
}

/**
 * Makes a change of all its events, whatever order they came in. One that nobody
 * dates landed when it was first told of.
 *
 * @returns undefined where it was deleted.
 */
export function foldChange(
  known: readonly KnownEvent<ChangeEvent>[],
): ChangeRecord | undefined {
  const events = standingEvents(known);
  if (events.length === 0) {
    return undefined;
  }
  const [first] = events;
  const committedAt = latestWord(events, event => event.committedAt) ?? null;
  const landedAt =
    latestWord(events, event => event.landedAt) ??
    committedAt ??
    first.occurredAt;
  return {
    repository: first.repository,
    sha: first.sha,
    message: latestWord(events, event => event.message) ?? '',
    author: latestWord(events, event => event.author) ?? '',
    committedAt,
    position: changePosition(
      landedAt,
      latestWord(events, event => event.sequence),
    ),
    url: latestWord(events, event => event.url) ?? null,
    revision: events[events.length - 1].occurredAt,
  };
}
