import { IncidentRecord, Records } from './records';

/** Overlapping production incidents of a service, merged. */
export interface Outage {
  service: string;
  startedAt: number;
  /** Infinity while one of its incidents is open. */
  endedAt: number;
}

function overlap(a: Omit<Outage, 'service'>, b: Omit<Outage, 'service'>) {
  return a.startedAt <= b.endedAt && b.startedAt <= a.endedAt;
}

function outagesOf(service: string, incidents: IncidentRecord[]): Outage[] {
  let outages: Outage[] = [];
  for (const { startedAt, resolvedAt } of incidents) {
    const own = { startedAt, endedAt: resolvedAt };
    const touching = outages.filter(outage => overlap(outage, own));
    outages = [
      ...outages.filter(outage => !touching.includes(outage)),
      {
        service,
        startedAt: Math.min(startedAt, ...touching.map(o => o.startedAt)),
        endedAt: Math.max(resolvedAt, ...touching.map(o => o.endedAt)),
      },
    ];
  }
  return outages;
}

/** Returns all outages, ended and open. */
export function findOutages({ incidents }: Records): Outage[] {
  const production = incidents.filter(each => each.production);
  return [...new Set(production.map(each => each.service))].flatMap(service =>
    service === undefined
      ? []
      : outagesOf(
          service,
          production.filter(each => each.service === service),
        ),
  );
}
