import type { Findings } from '../Findings.ts';
import type { BundledState, BundledStrategy } from '../FlagBundle.ts';
import type { Exported } from './schemas.ts';

/**
 * The project and environment that an import writes to instead of those in the export, or if the
 * export names none.
 */
export interface Target {
  /** The project of all flags; by default the one that the export names. */
  readonly project?: string;
  /** The environment of all states; only for an export of one environment. */
  readonly environment?: string;
}

type SentStrategy = Omit<
  NonNullable<Exported['featureStrategies']>[number],
  'featureName' | 'createdAt' | 'milestoneId' | 'projectId' | 'projectName'
>;

/** Reads the state of each flag of an export in each environment, by the flag's name. */
export function readStates(
  data: Exported,
  target: Target,
  findings: Findings,
): Map<string, Record<string, BundledState>> {
  const place = placeOf(data, target, findings);
  const names = new Set(data.features.map(({ name }) => name));
  const strategies = Map.groupBy(data.featureStrategies ?? [], each => {
    if (!names.has(each.featureName)) {
      findings.error(
        'The export contains strategies of this flag, but not the flag',
        each.featureName,
      );
    }
    return each.featureName;
  });
  const switches = Map.groupBy(data.featureEnvironments ?? [], each => {
    if (!names.has(each.featureName)) {
      findings.error(
        'The export contains a state of this flag, but not the flag',
        each.featureName,
      );
    }
    return each.featureName;
  });
  const read = strategyReader(data, findings);

  return new Map(
    data.features.map(feature => {
      const { name, enabled, variants = [] } = feature;
      const sent = Map.groupBy(strategies.get(name) ?? [], each =>
        place(each.environment),
      );
      const states = Map.groupBy(switches.get(name) ?? [], each =>
        place(each.environment),
      );
      if (enabled !== undefined || feature.strategies) {
        const own = place(undefined);
        sent.set(own, [
          ...(sent.get(own) ?? []),
          ...(feature.strategies ?? []).map(each => ({
            ...each,
            featureName: name,
          })),
        ]);
      }
      if ([...sent.values()].some(isOrderUnknown)) {
        findings.warn(
          'The export does not contain the order of strategies, which decides whose variants apply: check it after the import',
          name,
        );
      }
      const environments = new Set([...sent.keys(), ...states.keys()]);
      return [
        name,
        Object.fromEntries(
          [...environments].map(environment => {
            const [state] = states.get(environment) ?? [];
            const own = state?.variants ?? [];
            return [
              environment,
              {
                enabled: state?.enabled ?? enabled ?? false,
                variants: own.length > 0 ? own : variants,
                strategies: inOrder(sent.get(environment) ?? []).map(each =>
                  read(name, each),
                ),
              },
            ];
          }),
        ),
      ];
    }),
  );
}

/** Returns the environment of each state; states that name none belong to the export's only environment. */
function placeOf(
  data: Exported,
  target: Target,
  findings: Findings,
): (environment: string | undefined) => string {
  const named = new Set([
    ...(data.featureEnvironments ?? []).map(each => each.environment),
    ...(data.featureStrategies ?? []).flatMap(each => each.environment ?? []),
  ]);
  if (target.environment !== undefined && named.size > 1) {
    for (const name of named) {
      findings.error(
        'The export contains several environments, so it cannot be imported into a single one',
        name,
      );
    }
  }
  const [only] = named;
  return environment => {
    const chosen =
      target.environment ??
      environment ??
      (named.size === 1 ? only : undefined);
    if (chosen === undefined) {
      findings.error(
        'The export does not name its environment: name the one to import it into',
        'environment',
      );
    }
    return chosen ?? '';
  };
}

/** Returns whether variants depend on an order that Unleash's export of one environment leaves out. */
function isOrderUnknown(strategies: readonly SentStrategy[]): boolean {
  const active = strategies.filter(({ disabled }) => !disabled);
  return (
    active.length > 1 &&
    active.some(({ sortOrder }) => sortOrder === undefined) &&
    active.some(({ variants = [] }) => variants.length > 0)
  );
}

function inOrder<T extends { sortOrder?: number }>(
  strategies: readonly T[],
): T[] {
  return strategies.toSorted(
    (one, other) => (one.sortOrder ?? 0) - (other.sortOrder ?? 0),
  );
}

function strategyReader(
  { segments = [], featureStrategySegments = [] }: Exported,
  findings: Findings,
): (flag: string, sent: SentStrategy) => BundledStrategy {
  const names = new Map(segments.map(({ id, name }) => [id, name]));
  const apart = Map.groupBy(
    featureStrategySegments,
    ({ featureStrategyId }) => featureStrategyId,
  );
  return (flag, sent) => {
    const { title, disabled, constraints = [], variants = [] } = sent;
    const id = sent.id === undefined ? undefined : String(sent.id);
    const name = sent.name ?? sent.strategyName;
    if (name === undefined) {
      findings.error('The export does not name the kind of a strategy', flag);
    }
    const ids = [
      ...(sent.segments ?? []),
      ...(apart.get(id ?? '') ?? []).map(({ segmentId }) => segmentId),
    ];
    const used = new Set(
      ids.map(segment => {
        const known = names.get(segment);
        if (known === undefined) {
          findings.error(
            `A strategy uses segment ${segment}, which the export does not contain`,
            flag,
          );
        }
        return known ?? '';
      }),
    );
    return {
      ...(id !== undefined && { id }),
      name: name ?? '',
      ...(title && { title }),
      ...(disabled && { disabled }),
      parameters: Object.fromEntries(
        Object.entries(sent.parameters ?? {}).flatMap(([key, value]) =>
          value === null ? [] : [[key, String(value)]],
        ),
      ),
      ...(constraints.length > 0 && { constraints }),
      ...(used.size > 0 && { segments: [...used] }),
      ...(variants.length > 0 && { variants }),
    };
  };
}
