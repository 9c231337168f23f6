import { fault } from '../faults.ts';
import type { InsightContext } from '../QueryContext.ts';
import type { ActorsSource } from '../schemas.ts';
import { selectCohort } from './cohortBreakdown.ts';
import { readFunnelActors } from './funnelActors.ts';
import {
  readLifecycleActors,
  readPathActors,
  readRetentionActors,
} from './listActors.ts';
import type { ReadActors, SelectActors } from './selectedNumber.ts';
import { readStickinessActors, readTrendActors } from './seriesActors.ts';

const READINGS: Readonly<
  Record<ActorsSource['kind'], Readonly<Record<string, ReadActors>>>
> = {
  FunnelsActorsQuery: { FunnelsQuery: readFunnelActors },
  InsightActorsQuery: {
    LifecycleQuery: readLifecycleActors,
    PathsQuery: readPathActors,
    RetentionQuery: readRetentionActors,
    StickinessQuery: readStickinessActors,
    TrendsQuery: readTrendActors,
  },
  StickinessActorsQuery: { StickinessQuery: readStickinessActors },
};

const CHOICE = new Intl.ListFormat('en', { type: 'disjunction' });

/** Parses which people an ActorsQuery selects. */
export async function readActors(
  source: ActorsSource,
  context: InsightContext,
): Promise<SelectActors> {
  // Only an ActorsQuery has a source.
  const { source: _none, ...query } = source.source;
  const { kind } = query;
  const readings = READINGS[source.kind];
  if (!Object.hasOwn(readings, kind)) {
    throw fault(
      'query.source.source.kind',
      `cannot be ${kind} in ${source.kind}: use ${CHOICE.format(Object.keys(readings))}`,
      'enum',
    );
  }
  const among = selectCohort({ query, source }, context);
  return readings[kind](among.selected, among.context);
}
