import { isDeepStrictEqual } from 'node:util';
import { violationsOf } from '@slipway/service-kit';
import type { KnownThings } from '../flags/checkRules.ts';
import { Name } from '../flags/schemas.ts';
import type { Flag } from '../model/Flag.ts';
import {
  type ContextField,
  type Environment,
  legalValuesOf,
  type Project,
} from '../model/Registers.ts';
import { EnvironmentName } from '../registers/schemas.ts';
import type { Findings } from './Findings.ts';
import type { FlagBundle } from './FlagBundle.ts';
import type { ImportMode, ImportPlan, Inventory } from './ImportPlan.ts';
import { planFlag } from './planFlag.ts';
import { planSegments } from './planSegments.ts';

/** Compares an export with the existing state, and records what prevents the import. */
export function planImport(
  bundle: FlagBundle,
  options: {
    inventory: Inventory;
    mode: ImportMode;
    findings: Findings;
    now: number;
  },
): ImportPlan {
  const { inventory, mode, findings, now } = options;
  const environments = planEnvironments(bundle, inventory, findings);
  const projects = planProjects(bundle, inventory, findings);
  const contextFields = planContextFields(bundle, inventory, findings);
  const guarded = inventory.environments
    .filter(each => each.protected)
    .map(({ name }) => name);
  const segments = planSegments(bundle, {
    inventory,
    updates: mode.updatesSegments,
    guarded,
    findings,
  });
  const current = new Map(inventory.flags.map(flag => [flag.name, flag]));
  findings.warnOfCase(
    'flag',
    bundle.flags.map(({ name }) => name).filter(name => !current.has(name)),
    [...current.keys()],
  );
  const context = {
    mode,
    now,
    findings,
    guarded,
    environments: new Set(
      [...inventory.environments, ...environments].map(({ name }) => name),
    ),
    segmentIds: segments.ids,
    legalValues: legalValuesOf([...inventory.contextFields, ...contextFields]),
    known: knownThings(bundle, current),
  };
  const planned = bundle.flags.map(flag =>
    planFlag(flag, current.get(flag.name), context),
  );
  return {
    environments,
    projects,
    contextFields,
    segments: segments.planned,
    segmentNames: new Map([...segments.ids].map(([name, id]) => [id, name])),
    flags: planned.filter(({ isChanged }) => isChanged),
    unchanged: planned.flatMap(({ isChanged, after }) =>
      isChanged ? [] : [after.name],
    ),
    proposals: planned.flatMap(({ proposals }) => proposals),
  };
}

function planEnvironments(
  { flags, environments }: FlagBundle,
  inventory: Inventory,
  findings: Findings,
): Environment[] {
  const existing = new Set(inventory.environments.map(({ name }) => name));
  const created = environments.filter(({ name }) => !existing.has(name));
  for (const { name } of created) {
    if (violationsOf(EnvironmentName, name).length > 0) {
      findings.error(
        'Here, the name of an environment may contain only letters, digits and _ ~ -: name another one to import it into',
        name,
      );
    }
  }
  const names = created.map(({ name }) => name);
  findings.warnOfCase('environment', names, [...existing]);
  const known = new Set([...existing, ...names]);
  for (const name of flags.flatMap(({ states }) => Object.keys(states))) {
    // A state that names no environment has its own error.
    if (name !== '' && !known.has(name)) {
      findings.error('Environment not found', name);
    }
  }
  return created;
}

function planProjects(
  { flags, segments, projects }: FlagBundle,
  inventory: Inventory,
  findings: Findings,
): Project[] {
  const existing = new Set(inventory.projects.map(({ id }) => id));
  const created = projects.filter(({ id }) => !existing.has(id));
  for (const { id } of created) {
    if (violationsOf(Name, id).length > 0) {
      findings.error('The id of a project is not URL friendly', id);
    }
  }
  const ids = created.map(({ id }) => id);
  findings.warnOfCase('project', ids, [...existing]);
  const known = new Set([...existing, ...ids]);
  const own = new Set(inventory.segments.map(({ name }) => name));
  const added = segments.filter(({ name }) => !own.has(name));
  for (const { project } of [...flags, ...added]) {
    if (typeof project === 'string' && !known.has(project)) {
      findings.error('Project not found', project);
    }
  }
  return created;
}

function planContextFields(
  { contextFields }: FlagBundle,
  inventory: Inventory,
  findings: Findings,
): ContextField[] {
  const existing = new Map(
    inventory.contextFields.map(field => [field.name, field]),
  );
  return contextFields.filter(field => {
    const own = existing.get(field.name);
    if (own && !isDeepStrictEqual(own.legalValues, field.legalValues)) {
      findings.warn(
        'A context field has other legal values here, which are kept',
        field.name,
      );
    }
    return !own;
  });
}

/** Returns the flags and segments that rules can refer to after the import. */
function knownThings(
  { flags }: FlagBundle,
  current: ReadonlyMap<string, Flag>,
): KnownThings {
  const imported = new Map(flags.map(flag => [flag.name, flag]));
  return {
    isSegment: () => true,
    parentsOf: name => {
      const own = current.get(name);
      const inUse = own?.archivedAt === null ? own : undefined;
      const coming = imported.get(name);
      return coming || inUse
        ? (coming?.traits.dependencies ?? inUse?.dependencies ?? []).map(
            ({ feature }) => feature,
          )
        : undefined;
    },
  };
}
