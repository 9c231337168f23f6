import {
  compareEvents,
  foldChange,
  foldDeployment,
  foldIncident,
  KnownEvent,
} from './foldRecords';
import { IngestedEvent } from './Delivery';
import {
  canonicalJson,
  ChangeEvent,
  ChangeRecord,
  DeploymentEvent,
  DeploymentRecord,
  DigestedEvent,
  IncidentEvent,
  IncidentRecord,
  LakeEvent,
  mapKey,
  recordKey,
  RecordKind,
  RecordName,
} from './LakeEvent';

/** A record that may have changed, with all its events. */
export interface Touched {
  kind: RecordKind;
  key: string;
  events: KnownEvent[];
  /** True if it has no row yet. */
  fresh: boolean;
}

/** The result of folding the events of a record. */
export interface Folded<R> {
  key: string;
  fresh: boolean;
  /** undefined if it does not exist or was deleted. */
  record: R | undefined;
}

/** Touched records by kind. */
export interface FoldedRecords {
  deployments: Folded<DeploymentRecord>[];
  changes: Folded<ChangeRecord>[];
  incidents: Folded<IncidentRecord>[];
}

function only<E extends LakeEvent>(
  events: KnownEvent[],
  kind: E['kind'],
): KnownEvent<E>[] {
  return events.filter(
    (known): known is KnownEvent<E> => known.event.kind === kind,
  );
}

/** Folds the events of a record of any kind. */
function foldEvents(kind: RecordKind, events: KnownEvent[]) {
  switch (kind) {
    case 'deployment':
      return foldDeployment(only<DeploymentEvent>(events, kind));
    case 'change':
      return foldChange(only<ChangeEvent>(events, kind));
    default:
      return foldIncident(only<IncidentEvent>(events, kind));
  }
}

/** Folds all touched records. */
export function foldTouched(touched: Touched[]): FoldedRecords {
  const folded = <E extends LakeEvent, R>(
    kind: E['kind'],
    fold: (events: KnownEvent<E>[]) => R | undefined,
  ): Folded<R>[] =>
    touched
      .filter(record => record.kind === kind)
      .map(({ key, fresh, events }) => ({
        key,
        fresh,
        record: fold(only<E>(events, kind)),
      }));
  return {
    deployments: folded('deployment', foldDeployment),
    changes: folded('change', foldChange),
    incidents: folded('incident', foldIncident),
  };
}

/** Returns the records that a batch is about. */
export function namesOf(events: DigestedEvent[]): RecordName[] {
  const names = new Map<string, RecordName>();
  for (const { event } of events) {
    const name = { kind: event.kind, key: recordKey(event) };
    names.set(mapKey(name), name);
  }
  return [...names.values()];
}

/** Returns whether later known events make an event irrelevant. */
function isStale(incoming: DigestedEvent, known: DigestedEvent[]): boolean {
  const { kind } = incoming.event;
  return (
    known.some(other => compareEvents(incoming, other) < 0) &&
    canonicalJson(foldEvents(kind, known)) ===
      canonicalJson(foldEvents(kind, [...known, incoming]))
  );
}

/**
 * Finds the new events of a batch, comparing each with the events known before it.
 *
 * @param known - events of the records by {@link mapKey}; new events are added.
 */
export function findNewEvents<E extends DigestedEvent>(
  incoming: E[],
  known: Map<string, DigestedEvent[]>,
): {
  added: E[];
  touched: Touched[];
  outcomes: IngestedEvent['outcome'][];
} {
  const added: E[] = [];
  const touched = new Map<string, Touched>();
  const outcomes = incoming.map((item): IngestedEvent['outcome'] => {
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
