import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { type Flag, type FlagState, stateOf, traitsOf } from '../model/Flag.ts';
import type { Finding, Findings } from './Findings.ts';
import type { ImportPlan, PlannedFlag } from './ImportPlan.ts';

/** A field of a flag that changes. */
interface FieldChange {
  /** e.g. `description`, or `environments.production.strategies`. */
  readonly field: string;
  readonly from: unknown;
  readonly to: unknown;
}

/** What an import does, and what prevents it. */
export interface ImportReport {
  readonly errors: Finding[];
  readonly warnings: Finding[];
  readonly changes: {
    /** The names of created objects. */
    readonly environments: string[];
    readonly projects: string[];
    readonly contextFields: string[];
    readonly segments: string[];
    readonly created: string[];
    readonly updated: {
      readonly name: string;
      readonly fields: FieldChange[];
    }[];
    readonly unchanged: string[];
  };
}

/**
 * Returns the entity tag of a report: it differs if others have changed anything that the import
 * creates or overwrites.
 */
export function reportTag({ changes }: ImportReport): string {
  // Values to be written are left out, because ids that the source lacks are random.
  const updated = changes.updated.map(({ name, fields }) => ({
    name,
    fields: fields.map(({ field, from }) => ({ field, from })),
  }));
  const text = JSON.stringify({ ...changes, updated });
  return `"${createHash('sha256').update(text).digest('hex').slice(0, 32)}"`;
}

/** Describes the effects of a plan. */
export function describePlan(
  plan: ImportPlan,
  findings: Findings,
): ImportReport {
  const updated = plan.flags.filter(({ before }) => before);
  return {
    errors: findings.errors,
    warnings: findings.warnings,
    changes: {
      environments: plan.environments.map(({ name }) => name),
      projects: plan.projects.map(({ id }) => id),
      contextFields: plan.contextFields.map(({ name }) => name),
      segments: plan.segments.map(({ after }) => after.name),
      created: plan.flags.flatMap(({ before, after }) =>
        before ? [] : after.name,
      ),
      updated: updated.map(flag => ({
        name: flag.after.name,
        fields: changesOf(flag, plan.segmentNames),
      })),
      unchanged: [...plan.unchanged],
    },
  };
}

function changesOf(
  { before, after }: PlannedFlag,
  segmentNames: ReadonlyMap<number, string>,
): FieldChange[] {
  const [from, to] = [before!, after].map(flag =>
    fieldsOf(flag, Object.keys(after.states), segmentNames),
  );
  return Object.keys(to).flatMap(field =>
    isDeepStrictEqual(from[field], to[field])
      ? []
      : [{ field, from: from[field], to: to[field] }],
  );
}

function fieldsOf(
  flag: Flag,
  environments: readonly string[],
  segmentNames: ReadonlyMap<number, string>,
): Record<string, unknown> {
  const named = (strategies: FlagState['strategies']) =>
    strategies.map(({ segments, ...strategy }) => ({
      ...strategy,
      ...(segments && {
        segments: segments.map(id => segmentNames.get(id) ?? String(id)),
      }),
    }));
  return {
    project: flag.project,
    ...traitsOf(flag),
    ...Object.fromEntries(
      environments.flatMap(environment => {
        const { enabled, strategies, variants } = stateOf(flag, environment);
        const path = `environments.${environment}`;
        return [
          [`${path}.enabled`, enabled],
          [`${path}.strategies`, named(strategies)],
          [`${path}.variants`, variants],
        ];
      }),
    ),
  };
}
