import type { Knex } from 'knex';
import { LocalDays } from '../days/localDays';
import { deriveService } from '../derivation/deriveService';
import { groupBy } from '../derivation/ServiceHistory';
import { countDays, DayChange } from './dayCounts';
import { findScopes, Scope } from './derivedScopes';
import {
  deleteDurations,
  DurationRow,
  loadDurations,
  toDurations,
  writeDurations,
} from './durations';
import { loadHistories } from './loadHistories';
import { DirtyService, Echo, markEchoes } from './marks';
import { loadCounts, writeCounts, writeHistograms } from './rollups';
import {
  clearUncounted,
  compareDeploymentFlags,
  compareIncidents,
  IncidentUpdate,
  isRejudged,
  JudgedDeployment,
  writeDeployments,
  writeIncidents,
} from './writeDerived';

/** What deriving goes by besides the tables. */
export interface DerivationSettings {
  days: LocalDays;
  /** Milliseconds. */
  incidentWindow: number;
}

interface ServiceResult {
  scope: Scope;
  judged: JudgedDeployment[];
  incidents: IncidentUpdate[];
  echoes: Echo[];
  removed: DurationRow[];
  added: DurationRow[];
  derived: DurationRow[];
}

const keyOf = ({ kind, subjectId }: DurationRow) => `${kind} ${subjectId}`;

function isSameDuration(a: DurationRow, b: DurationRow): boolean {
  return (
    a.endedAt === b.endedAt &&
    a.duration === b.duration &&
    a.deploymentId === b.deploymentId
  );
}

function compareDurations(stored: DurationRow[], derived: DurationRow[]) {
  const before = new Map(stored.map(row => [keyOf(row), row]));
  const added: DurationRow[] = [];
  for (const row of derived) {
    const known = before.get(keyOf(row));
    if (known && isSameDuration(known, row)) {
      before.delete(keyOf(row));
    } else {
      added.push(row);
    }
  }
  return { removed: [...before.values()], added, derived };
}

async function deriveAll(
  trx: Knex.Transaction,
  scopes: readonly Scope[],
  incidentWindow: number,
): Promise<ServiceResult[]> {
  const histories = await loadHistories(trx, scopes, incidentWindow);
  const stored = groupBy(
    await loadDurations(trx, histories),
    row => row.serviceId,
  );
  return histories.map(history => {
    const { serviceId, scope } = history;
    const derived = deriveService(history);
    const { updates, echoes } = compareIncidents(history, derived);
    return {
      scope,
      judged: compareDeploymentFlags(history, derived),
      incidents: updates,
      echoes,
      ...compareDurations(
        stored.get(serviceId) ?? [],
        toDurations(serviceId, derived),
      ),
    };
  });
}

async function countAll(
  trx: Knex.Transaction,
  results: readonly ServiceResult[],
  days: LocalDays,
): Promise<DayChange[]> {
  const single = results.flatMap(({ scope, judged, removed, added }) => {
    const moments = [
      ...judged.filter(isRejudged).map(each => each.finishedAt),
      ...[...removed, ...added].map(row => row.endedAt),
    ];
    return [...new Set(moments.map(moment => days.dayOf(moment)))].map(day => ({
      serviceId: scope.serviceId,
      day,
    }));
  });
  const since = results.map(({ scope: { serviceId, isWhole, from } }) => ({
    serviceId,
    day: isWhole ? 0 : days.dayOf(from),
  }));
  const firstDays = new Map(
    since.map(({ serviceId, day }) => [serviceId, day]),
  );
  const stored = await loadCounts(
    trx,
    since,
    single.filter(({ serviceId, day }) => day < firstDays.get(serviceId)!),
  );
  return results.flatMap(({ scope, judged, removed, added, derived }) =>
    countDays({
      ...scope,
      judged: judged.filter(each => !each.isTarget || isRejudged(each)),
      durations: { removed, added, derived },
      stored: stored.get(scope.serviceId) ?? new Map(),
      days,
    }),
  );
}

/** Derives services, and writes what is not as it was. */
export async function deriveServices(
  trx: Knex.Transaction,
  dirty: readonly DirtyService[],
  { days, incidentWindow }: DerivationSettings,
): Promise<void> {
  if (dirty.length === 0) {
    return;
  }
  const scopes = await findScopes(trx, dirty, { days, incidentWindow });
  const results = await deriveAll(trx, scopes, incidentWindow);
  const removed = results.flatMap(each => each.removed);
  const added = results.flatMap(each => each.added);

  const dayChanges = await countAll(trx, results, days);
  await writeDeployments(
    trx,
    results.flatMap(each => each.judged),
  );
  await clearUncounted(trx);
  await writeIncidents(
    trx,
    results.flatMap(each => each.incidents),
  );
  // What is written over needs no removal.
  const replaced = new Set(added.map(row => `${row.serviceId} ${keyOf(row)}`));
  await deleteDurations(
    trx,
    removed.filter(row => !replaced.has(`${row.serviceId} ${keyOf(row)}`)),
  );
  await writeDurations(trx, added);
  await writeHistograms(trx, days, { removed, added });
  await writeCounts(trx, dayChanges);

  const derivedHere = new Set(scopes.map(({ serviceId }) => serviceId));
  await markEchoes(
    trx,
    results
      .flatMap(each => each.echoes)
      .filter(({ serviceId }) => !derivedHere.has(serviceId)),
  );
}
