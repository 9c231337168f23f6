import type { Dependency, Flag } from '../model/Flag.ts';
import type { RuleProblem } from './constraintProblems.ts';

/** Looks up the parents of flags. */
export interface KnownParents {
  /** Lists the parents of a flag in use; undefined if it does not exist. */
  parentsOf(flag: string): readonly string[] | undefined;
}

/** Finds parents that keep a flag off forever, and conditions that SDKs ignore. */
export function dependencyProblems(
  { name, dependencies }: Pick<Flag, 'name' | 'dependencies'>,
  { parentsOf }: KnownParents,
): RuleProblem[] {
  return dependencies.flatMap((dependency, index) => {
    const field = `dependencies.${index}.feature`;
    const reason = reasonOff(dependency, {
      name,
      others: dependencies,
      parentsOf,
    });
    if (reason !== undefined) {
      return [{ field, message: `${reason}: this one is always off` }];
    }
    const { feature, enabled, variants = [] } = dependency;
    return !enabled && variants.length > 0
      ? [
          {
            field: `dependencies.${index}.variants`,
            message: `The variants are ignored, because ${feature} must be off`,
          },
        ]
      : [];
  });
}

/** Returns why a parent permanently keeps a flag off; undefined if it does not. */
function reasonOff(
  { feature, enabled }: Dependency,
  options: { name: string; others: readonly Dependency[] } & KnownParents,
): string | undefined {
  const { name, others, parentsOf } = options;
  if (feature === name) {
    return 'A flag cannot depend on itself';
  }
  const grandparents = parentsOf(feature);
  if (grandparents === undefined) {
    return `Flag ${feature} does not exist`;
  }
  if (grandparents.includes(name)) {
    return `${feature} depends on ${name}`;
  }
  if (grandparents.length > 0) {
    return `${feature} depends on another flag itself`;
  }
  const isContradicted = others.some(
    other => other.feature === feature && other.enabled !== enabled,
  );
  return isContradicted ? `${feature} cannot be on and off at once` : undefined;
}
