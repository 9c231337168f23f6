import {
  type ClientSegment,
  type Constraint,
  type Flag,
  type Segment,
  stateOf,
  type Strategy,
} from '../model/Flag.ts';

/** A strategy in the SDKs' format. */
type ClientStrategy = Pick<
  Strategy,
  'name' | 'parameters' | 'variants' | 'segments'
> & { readonly constraints: Constraint[] };

/** A constraint that matches no one, in SDKs of any version. */
const NOBODY: Constraint = {
  contextName: 'userId',
  operator: 'IN',
  values: [],
};

/**
 * Presents a flag in the SDKs' format.
 *
 * @param options.inline - the segments, for SDKs without segment support: their
 * constraints are then copied into the strategies, and a missing segment matches nobody.
 */
export function presentToClient(
  flag: Flag,
  options: { environment: string; inline?: ReadonlyMap<number, Segment> },
) {
  const { environment, inline } = options;
  const { name, type, project, stale, impressionData, dependencies } = flag;
  const { enabled, strategies, variants } = stateOf(flag, environment);
  const shown = strategies.filter(({ disabled }) => !disabled);
  return {
    name,
    type,
    project,
    // SDKs treat a flag without strategies as on for everyone.
    enabled: enabled && (shown.length > 0 || strategies.length === 0),
    stale,
    impressionData,
    description: flag.description,
    strategies: shown.map(strategy => presentStrategy(strategy, inline)),
    variants,
    ...(dependencies.length > 0 && { dependencies }),
  };
}

function presentStrategy(
  strategy: Strategy,
  inline: ReadonlyMap<number, Segment> | undefined,
): ClientStrategy {
  const { name, parameters, constraints = [] } = strategy;
  const { segments = [], variants = [] } = strategy;
  const inlined = inline
    ? segments.flatMap(id => inline.get(id)?.constraints ?? [NOBODY])
    : [];
  return {
    name,
    parameters,
    constraints: [...constraints, ...inlined].map(presentConstraint),
    ...(!inline && segments.length > 0 && { segments }),
    ...(variants.length > 0 && { variants }),
  };
}

export function presentSegment(segment: Segment): ClientSegment {
  const { id, name, constraints } = segment;
  return { id, name, constraints: constraints.map(presentConstraint) };
}

/** SDKs fail on a list operator without values. */
function presentConstraint(constraint: Constraint): Constraint {
  return constraint.values ? constraint : { ...constraint, values: [] };
}

/** The first version of the client specification with which SDKs support segments by id. */
const SEGMENTS_SINCE = [4, 2];

/** SDKs send few versions; the number is limited because callers choose them. */
const MAX_KNOWN_SPECS = 100;
const knownSpecs = new Map<string | string[] | undefined, boolean>();

/**
 * Checks whether an SDK supports segments by id, from its `Unleash-Client-Spec`. An
 * invalid version counts as an old SDK.
 */
export function readsSegments(spec: string | string[] | undefined): boolean {
  const known = knownSpecs.get(spec) ?? parseSpec(spec);
  if (knownSpecs.size < MAX_KNOWN_SPECS) {
    knownSpecs.set(spec, known);
  }
  return known;
}

function parseSpec(spec: string | string[] | undefined): boolean {
  const [, major, minor] = /^(\d+)\.(\d+)\.\d+$/.exec(String(spec)) ?? [];
  const [sinceMajor, sinceMinor] = SEGMENTS_SINCE;
  return (
    Number(major) > sinceMajor ||
    (Number(major) === sinceMajor && Number(minor) >= sinceMinor)
  );
}
