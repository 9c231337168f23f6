import { canonicalJson, DigestedEvent } from '../../events/canonicalJson';
import { compareEvents } from '../../events/eventOrder';
import { recordKey } from '../../events/recordKey';
import { TakenEvent } from '../IngestStore';
import { mapKey, RecordName } from '../sql/EventLog';
import { foldEvents, Touched } from './Folded';

/** The records that a batch speaks of. */
export function namesOf(events: DigestedEvent[]): RecordName[] {
  const names = new Map<string, RecordName>();
  for (const { event } of events) {
    const name = { kind: event.kind, key: recordKey(event) };
    names.set(mapKey(name), name);
  }
  return [...names.values()];
}

/** Whether all that is known is later, and says the same with it as without. */
function isStale(incoming: DigestedEvent, known: DigestedEvent[]): boolean {
  const { kind } = incoming.event;
  return (
    known.some(other => compareEvents(incoming, other) < 0) &&
    canonicalJson(foldEvents(kind, known)) ===
      canonicalJson(foldEvents(kind, [...known, incoming]))
  );
}

/**
 * Tells what is new in a batch, each event judged by what is known when it comes.
 *
 * @param known - events of the records by {@link mapKey}; the new ones are added.
 */
export function sortEvents<E extends DigestedEvent>(
  incoming: E[],
  known: Map<string, DigestedEvent[]>,
): {
  added: E[];
  touched: Touched[];
  outcomes: TakenEvent['outcome'][];
} {
  const added: E[] = [];
  const touched = new Map<string, Touched>();
  const outcomes = incoming.map((item): TakenEvent['outcome'] => {
    const name = { kind: item.event.kind, key: recordKey(item.event) };
    const events = known.get(mapKey(name)) ?? [];
    if (events.some(({ digest }) => digest === item.digest)) {
      return 'duplicate';
    }
    const stale = events.length > 0 && isStale(item, events);
    const fresh = touched.get(mapKey(name))?.fresh ?? events.length === 0;
    events.push(item);
    known.set(mapKey(name), events);
    touched.set(mapKey(name), { ...name, events, fresh });
    added.push(item);
    return stale ? 'stale' : 'accepted';
  });
  return { added, touched: [...touched.values()], outcomes };
}
