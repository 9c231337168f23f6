import type { Knex } from 'knex';
import {
  compareDeploymentFlags,
  compareDurations,
  compareIncidents,
  DirtyService,
  durationKey,
  DurationRow,
  Echo,
  IncidentUpdate,
  isRejudged,
  JudgedDeployment,
  Scope,
  toDurations,
} from '../derivation/compareDerived';
import { countDays, DayChange, LocalDays } from '../derivation/dayCounts';
import { deriveService } from '../derivation/deriveService';
import {
  type BigInteger,
  momentTable,
  queryRows,
  type ServiceMoment,
} from './BatchSql';
import { loadHistories } from './loadHistories';
import { markEchoes } from './marks';
import { loadCounts, writeCounts, writeHistograms } from './rollups';
import {
  clearUncounted,
  deleteDurations,
  loadDurations,
  writeAttributions,
  writeDurations,
  writeVerdicts,
} from './writeDerived';

/** Settings of the derivation. */
export interface DerivationSettings {
  days: LocalDays;
  /** Milliseconds. */
  incidentWindow: number;
}

/** Earlier than any valid moment. */
const BEGINNING = -8_640_000_000_000_000;

interface LastFinish {
  service_id: number;
  finished_at: BigInteger | null;
}

/**
 * Returns when the last counted deployment before each moment finished, by service; services
 * without one are missing.
 */
async function findLastFinishes(
  trx: Knex.Transaction,
  moments: readonly ServiceMoment[],
): Promise<Map<number, number>> {
  const list = momentTable(trx, moments);
  const rows = await queryRows<LastFinish>(
    trx,
    `SELECT r.service_id, (
       SELECT MAX(d.finished_at) FROM deployments d
       WHERE d.counted = 1 AND d.service_id = r.service_id AND d.finished_at < r.moment
     ) AS finished_at FROM ${list.sql}`,
    list.bindings,
  );
  return new Map(
    rows.flatMap(row =>
      row.finished_at === null
        ? []
        : [[row.service_id, Number(row.finished_at)] as const],
    ),
  );
}

/**
 * Determines how far a change at `since` reaches back: to the deployments to which an incident can
 * be attributed, and to the one before them, which a rollback can refer to.
 */
async function findScopes(
  trx: Knex.Transaction,
  dirty: readonly DirtyService[],
  options: { days: LocalDays; incidentWindow: number },
): Promise<Scope[]> {
  const { days, incidentWindow } = options;
  const partial = dirty.filter(({ since }) => since > 0);
  const before = await findLastFinishes(
    trx,
    partial.map(({ serviceId, since }) => ({ serviceId, moment: since })),
  );
  const bounded = partial.map(each => ({
    ...each,
    from: days.startOfDay(
      Math.min(
        each.since - incidentWindow,
        before.get(each.serviceId) ?? Infinity,
      ),
    ),
  }));
  const beforeThat = await findLastFinishes(
    trx,
    bounded.map(({ serviceId, from }) => ({ serviceId, moment: from })),
  );
  return [
    ...dirty
      .filter(({ since }) => since <= 0)
      .map(each => ({
        ...each,
        since: BEGINNING,
        from: BEGINNING,
        contextFrom: BEGINNING,
        isWhole: true,
      })),
    ...bounded.map(each => ({
      ...each,
      contextFrom: Math.min(
        each.from - incidentWindow,
        beforeThat.get(each.serviceId) ?? Infinity,
      ),
      isWhole: false,
    })),
  ];
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

async function deriveAll(
  trx: Knex.Transaction,
  scopes: readonly Scope[],
  incidentWindow: number,
): Promise<ServiceResult[]> {
  const histories = await loadHistories(trx, scopes, incidentWindow);
  const stored = Map.groupBy(
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

/** Derives services, and writes what changed. */
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
  await writeVerdicts(
    trx,
    results.flatMap(each => each.judged),
  );
  await clearUncounted(trx);
  await writeAttributions(
    trx,
    results.flatMap(each => each.incidents),
  );
  // Rows that are overwritten need no removal.
  const replaced = new Set(
    added.map(row => `${row.serviceId} ${durationKey(row)}`),
  );
  await deleteDurations(
    trx,
    removed.filter(
      row => !replaced.has(`${row.serviceId} ${durationKey(row)}`),
    ),
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
