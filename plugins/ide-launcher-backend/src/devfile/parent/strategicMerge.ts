/** A mapping as parsed from YAML. */
export type Mapping = Record<string, unknown>;

/** Fields of which an object has one: giving another replaces it. */
const EXCLUSIVE_FIELDS: readonly (readonly string[])[] = [
  ['container', 'kubernetes', 'openshift', 'volume', 'image'],
  ['exec', 'apply', 'composite'],
  ['git', 'zip'],
  ['uri', 'inlined'],
  ['uri', 'devfileRegistry', 'git'],
];

function isMapping(value: unknown): value is Mapping {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function hasName(value: unknown): value is Mapping & { name: string } {
  return isMapping(value) && typeof value.name === 'string';
}

function mergeLists(base: unknown[], patch: unknown[]): unknown[] {
  if (![...base, ...patch].every(hasName)) {
    return patch;
  }
  const patched = base.filter(hasName).map(item => {
    const override = patch
      .filter(hasName)
      .find(({ name }) => name === item.name);
    return override ? mergeMappings(item, override) : item;
  });
  const added = patch
    .filter(hasName)
    .filter(({ name }) => !base.filter(hasName).some(b => b.name === name));
  return [...patched, ...added];
}

function mergeValues(base: unknown, patch: unknown): unknown {
  if (isMapping(base) && isMapping(patch)) {
    return mergeMappings(base, patch);
  }
  if (Array.isArray(base) && Array.isArray(patch)) {
    return mergeLists(base, patch);
  }
  return patch;
}

/**
 * Applies an override to an element of a parent, by the rules of Kubernetes'
 * strategic merge patch as far as devfiles use them: mappings are merged, lists
 * of named elements are merged by name, everything else is replaced.
 */
export function mergeMappings(base: Mapping, patch: Mapping): Mapping {
  const replaced = EXCLUSIVE_FIELDS.filter(fields =>
    fields.some(field => field in patch),
  ).flatMap(fields => fields.filter(field => !(field in patch)));
  const kept = Object.entries(base).filter(([key]) => !replaced.includes(key));
  const result: Mapping = Object.fromEntries(kept);
  for (const [key, value] of Object.entries(patch)) {
    result[key] = key in result ? mergeValues(result[key], value) : value;
  }
  return result;
}
