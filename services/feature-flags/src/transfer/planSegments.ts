import { isDeepStrictEqual } from 'node:util';
import { type Segment, stateOf } from '../model/Flag.ts';
import type { Findings } from './Findings.ts';
import type { FlagBundle } from './FlagBundle.ts';
import type { Inventory, PlannedSegment } from './ImportPlan.ts';

/** Finds the segments that strategies will use, and those of them to create. */
export function planSegments(
  bundle: FlagBundle,
  options: {
    inventory: Pick<Inventory, 'segments' | 'flags'>;
    /** True if existing segments are updated. */
    updates: boolean;
    /** The environments that can only be changed by approved requests. */
    guarded: readonly string[];
    findings: Findings;
  },
): { planned: PlannedSegment[]; ids: ReadonlyMap<string, number> } {
  const { inventory, updates, guarded, findings } = options;
  const current = new Map(inventory.segments.map(each => [each.name, each]));
  const ids = new Map(inventory.segments.map(({ name, id }) => [name, id]));
  findings.warnOfCase(
    'segment',
    bundle.segments.map(({ name }) => name).filter(name => !current.has(name)),
    [...current.keys()],
  );
  const planned: PlannedSegment[] = [];
  for (const { constraints, ...settings } of bundle.segments) {
    const { name } = settings;
    const own = current.get(name);
    if (!constraints) {
      noteMissing(name, own !== undefined, bundle, findings);
      ids.set(name, own?.id ?? 0);
    } else if (!own) {
      const id = -1 - planned.length;
      ids.set(name, id);
      planned.push({ id, after: { ...settings, constraints } });
    } else if (!isDeepStrictEqual(own.constraints, constraints)) {
      if (!updates) {
        findings.error(
          'A segment of this name has other constraints here: rename one of them',
          name,
        );
      } else if (isUsedIn(own, inventory, guarded)) {
        findings.error(
          'Strategies of a protected environment use this segment: create another one, and request that the flags use it instead',
          name,
        );
      }
      planned.push({ id: own.id, before: own, after: { ...own, constraints } });
    }
  }
  return { planned, ids };
}

/** Adds a warning or an error about a segment whose constraints the source lacks. */
function noteMissing(
  name: string,
  exists: boolean,
  { flags }: FlagBundle,
  findings: Findings,
): void {
  const isUsed = flags.some(({ states }) =>
    Object.values(states).some(({ strategies }) =>
      strategies.some(({ segments = [] }) => segments.includes(name)),
    ),
  );
  if (exists) {
    findings.warn(
      'The export does not contain the constraints of segments: the existing segment of the same name is used',
      name,
    );
  } else if (isUsed) {
    findings.error(
      'The export does not contain the constraints of this segment, and no segment of this name exists here: create it first',
      name,
    );
  }
}

function isUsedIn(
  { id }: Segment,
  { flags }: Pick<Inventory, 'flags'>,
  environments: readonly string[],
): boolean {
  return flags.some(flag =>
    environments.some(environment =>
      stateOf(flag, environment).strategies.some(({ segments = [] }) =>
        segments.includes(id),
      ),
    ),
  );
}
