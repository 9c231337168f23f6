import { KnownEvent } from '../../events/eventOrder';
import { foldChange, ChangeRecord } from '../../events/foldChange';
import { DeploymentRecord, foldDeployment } from '../../events/foldDeployment';
import { foldIncident, IncidentRecord } from '../../events/foldIncident';
import {
  ChangeEvent,
  DeploymentEvent,
  IncidentEvent,
  LakeEvent,
  RecordKind,
} from '../../events/LakeEvent';

/** A record that may have changed, with all its events. */
export interface Touched {
  kind: RecordKind;
  key: string;
  events: KnownEvent[];
  /** Never heard of before: it has no row. */
  fresh: boolean;
}

/** What the events of a record come to. */
export interface Folded<R> {
  key: string;
  fresh: boolean;
  /** undefined: there is none, or no more. */
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
export function foldEvents(kind: RecordKind, events: KnownEvent[]) {
  switch (kind) {
    case 'deployment':
      return foldDeployment(only<DeploymentEvent>(events, kind));
    case 'change':
      return foldChange(only<ChangeEvent>(events, kind));
    default:
      return foldIncident(only<IncidentEvent>(events, kind));
  }
}

/** Folds all that were touched. */
export function foldTouched(touched: Touched[]): FoldedRecords {
  const folded: FoldedRecords = { deployments: [], changes: [], incidents: [] };
  for (const { kind, key, events, fresh } of touched) {
    if (kind === 'deployment') {
      const record = foldDeployment(only<DeploymentEvent>(events, kind));
      folded.deployments.push({ key, fresh, record });
    } else if (kind === 'change') {
      const record = foldChange(only<ChangeEvent>(events, kind));
      folded.changes.push({ key, fresh, record });
    } else {
      const record = foldIncident(only<IncidentEvent>(events, kind));
      folded.incidents.push({ key, fresh, record });
    }
  }
  return folded;
}
