import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { ServiceError } from '@slipway/service-kit';
import {
  checkState,
  type KnownThings,
  stateProblems,
} from '../flags/checkRules.ts';
import type { RuleProblem } from '../flags/constraintProblems.ts';
import { dependencyProblems } from '../flags/dependencyProblems.ts';
import { giveIds } from '../flags/flagEdits.ts';
import { isSame } from '../flags/preconditions.ts';
import { assertUnprotected } from '../flags/protection.ts';
import {
  type Flag,
  type Link,
  NEW_TRAITS,
  stateOf,
  STRATEGY_TITLES,
} from '../model/Flag.ts';
import type { LegalValues } from '../model/Registers.ts';
import type { Findings } from './Findings.ts';
import type { BundledFlag, BundledState } from './FlagBundle.ts';
import type { ImportMode, PlannedFlag, Proposal } from './ImportPlan.ts';

interface FlagContext {
  mode: ImportMode;
  now: number;
  findings: Findings;
  /** The environments that can only be changed by approved requests. */
  guarded: readonly string[];
  environments: ReadonlySet<string>;
  segmentIds: ReadonlyMap<string, number>;
  legalValues: LegalValues;
  known: KnownThings;
}

/** Determines the imported state of a flag, and records what prevents it. */
export function planFlag(
  bundled: BundledFlag,
  before: Flag | undefined,
  context: FlagContext,
): PlannedFlag {
  const { now, findings, guarded, mode } = context;
  const { name, project, traits, createdAt = now } = bundled;
  if (before && before.archivedAt !== null) {
    findings.error('An archived flag has this name: restore it first', name);
  }
  const isMoved = before && project !== undefined && before.project !== project;
  if (isMoved && mode.isTrusted) {
    findings.error(`Here, the flag is in the project ${before.project}`, name);
  }
  const base: Flag = before ?? {
    name,
    project: project ?? 'default',
    ...NEW_TRAITS,
    createdAt: Math.min(createdAt, now),
    updatedAt: now,
    archivedAt: null,
    states: {},
    revisions: { latest: 0, shared: 0, states: {} },
  };
  const wanted: Flag = {
    ...base,
    ...traits,
    ...(isMoved && { project }),
    ...(traits.links && { links: keepLinkIds(traits.links, base.links) }),
    states: {
      ...base.states,
      ...Object.fromEntries(
        Object.entries(bundled.states).map(([environment, state]) => [
          environment,
          readState(state, stateOf(base, environment).strategies, {
            name,
            ...context,
          }),
        ]),
      ),
    },
  };
  checkRules(base, wanted, context);
  const { after, proposals } = mode.proposes
    ? withoutProtected(base, wanted, guarded)
    : { after: wanted, proposals: [] };
  const isChanged = !before || !isSame(before, after);
  noteRefusals(findings, name, () => {
    if (isChanged) {
      assertUnprotected(base, after, guarded);
    }
  });
  if (before && isChanged && mode.isTrusted) {
    findings.warn('The flag exists and is overwritten', name);
  }
  return {
    proposals,
    ...(before && { before }),
    after: isChanged ? { ...after, updatedAt: now } : after,
    isChanged,
  };
}

/** Separates the changes in protected environments from a flag. */
function withoutProtected(
  before: Flag,
  after: Flag,
  guarded: readonly string[],
): { after: Flag; proposals: Proposal[] } {
  const environments = guarded.filter(
    environment =>
      !isDeepStrictEqual(
        stateOf(before, environment),
        stateOf(after, environment),
      ),
  );
  const kept = Object.entries(after.states).flatMap(([environment, state]) => {
    if (!environments.includes(environment)) {
      return [[environment, state] as const];
    }
    const former = before.states[environment];
    return former ? [[environment, former] as const] : [];
  });
  return {
    after: { ...after, states: Object.fromEntries(kept) },
    proposals: environments.map(environment => ({
      name: after.name,
      environment,
      state: stateOf(after, environment),
    })),
  };
}

function readState(
  { strategies, ...rest }: BundledState,
  former: Flag['states'][string]['strategies'],
  { name, segmentIds, findings }: FlagContext & { name: string },
) {
  const sent = strategies.map(({ segments = [], ...strategy }) => {
    const ids = segments.flatMap(segment => {
      const id = segmentIds.get(segment);
      if (id === undefined) {
        findings.error(`Segment ${segment} not found`, name);
      }
      return id ?? [];
    });
    return { ...strategy, ...(ids.length > 0 && { segments: ids }) };
  });
  return { ...rest, strategies: giveIds(sent, former) };
}

/** Records rules that SDKs would misinterpret, and missing parents. */
function checkRules(
  before: Flag,
  after: Flag,
  { mode, findings, legalValues, known }: FlagContext,
): void {
  const { name } = after;
  const warnOf = (problems: readonly RuleProblem[]) => {
    for (const { field, message } of problems) {
      findings.warn(`${field}: ${message}`, name);
    }
  };
  for (const { feature } of after.dependencies) {
    if (known.parentsOf(feature) === undefined) {
      findings.error(`The parent flag ${feature} does not exist`, name);
    }
  }
  for (const [environment, state] of Object.entries(after.states)) {
    noteRefusals(
      findings,
      name,
      () =>
        checkState(state, {
          before: stateOf(before, environment),
          legalValues,
        }),
      mode.isTrusted
        ? message => findings.warn(`${message}: imported as it is`, name)
        : undefined,
    );
    warnOf(stateProblems(state, known));
    for (const { name: kind } of state.strategies) {
      if (kind !== '' && !STRATEGY_TITLES.has(kind)) {
        findings.warn(
          `The strategy ${kind} matches nobody unless the application implements it`,
          name,
        );
      }
    }
  }
  const isKnown = ({ feature }: Flag['dependencies'][number]) =>
    known.parentsOf(feature) !== undefined;
  if (after.dependencies.every(isKnown)) {
    warnOf(dependencyProblems(after, known));
  }
}

/** Runs a check, and records its error. */
function noteRefusals(
  findings: Findings,
  item: string,
  check: () => void,
  note: (message: string) => void = message => findings.error(message, item),
): void {
  try {
    check();
  } catch (error) {
    if (!(error instanceof ServiceError)) {
      throw error;
    }
    note(error.message);
  }
}

/** Gives links the ids of the flag's existing links with the same URL. */
function keepLinkIds(links: readonly Link[], former: readonly Link[]): Link[] {
  const kept = new Set<string>();
  return links.map(link => {
    const own = former.find(({ id, url }) => url === link.url && !kept.has(id));
    const isTaken = former.some(({ id }) => id === link.id);
    const id = own?.id ?? (isTaken ? randomUUID() : link.id);
    kept.add(id);
    return { ...link, id };
  });
}
