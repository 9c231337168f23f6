import type { Knex } from 'knex';
import { groupBy } from '../domain/groupBy';
import { loadOpenSince, StoredIncident } from './incidentRows';

/** Production incidents of a service, and from when on they are complete. */
export interface OutageIncidents {
  serviceId: number;
  /** No incident that began before this reaches beyond it. */
  from: number;
  incidents: StoredIncident[];
}

/**
 * Loads the incidents that were open at a moment or began since, and those that
 * they overlap, however far back that leads.
 */
export async function loadOutageIncidents(
  trx: Knex.Transaction,
  moments: readonly { serviceId: number; moment: number }[],
): Promise<Map<number, OutageIncidents>> {
  const outages = new Map<number, OutageIncidents>();
  let open = [...moments];
  while (open.length > 0) {
    const incidents = groupBy(
      await loadOpenSince(trx, open),
      each => each.serviceId,
    );
    const further: typeof open = [];
    for (const { serviceId, moment } of open) {
      const own = incidents.get(serviceId) ?? [];
      const from = own.reduce(
        (earliest, { startedAt }) => Math.min(earliest, startedAt),
        moment,
      );
      outages.set(serviceId, { serviceId, from, incidents: own });
      if (from < moment) {
        further.push({ serviceId, moment: from });
      }
    }
    open = further;
  }
  return outages;
}
