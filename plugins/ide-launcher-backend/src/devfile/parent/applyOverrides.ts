import { DevfileFault, inParent, quote } from '../issue';
import { RawParent } from '../schema/devfile';
import { validateDevfile } from '../schema/validateDevfile';
import { FlatDevfile, locateFault, MERGED_LISTS } from './mergeParent';

/** A mapping as parsed from YAML. */
type Mapping = Record<string, unknown>;

/** Mutually exclusive fields of an object: setting one replaces another. */
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
  if (!base.every(hasName) || !patch.every(hasName)) {
    return patch;
  }
  const names = new Set(base.map(({ name }) => name));
  const overrides = new Map<string, Mapping>();
  for (const override of patch) {
    // Of several with one name, the first counts.
    if (!overrides.has(override.name)) {
      overrides.set(override.name, override);
    }
  }
  return [
    ...base.map(item => {
      const override = overrides.get(item.name);
      return override ? mergeMappings(item, override) : item;
    }),
    ...patch.filter(({ name }) => !names.has(name)),
  ];
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
 * Applies an override to an element of a parent. Follows the rules of Kubernetes' strategic
 * merge patch that devfiles use: mappings are merged, lists of named elements are merged by
 * name, everything else is replaced.
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

/** A parent with the overrides of its child applied. */
interface OverrideResult {
  parent: FlatDevfile;
  faults: DevfileFault[];
}

function keyOf(list: (typeof MERGED_LISTS)[number]): 'id' | 'name' {
  return list === 'commands' ? 'id' : 'name';
}

/**
 * Applies the overrides in a devfile's `parent`. Overrides change existing elements of the
 * parent; new elements belong in the devfile itself.
 *
 * @param parent - The parent, with its own parents merged.
 * @param overrides - The `parent` section of the child.
 * @param source - The parent's address as shown in messages.
 */
export function applyOverrides(
  parent: FlatDevfile,
  overrides: RawParent,
  source: string,
): OverrideResult {
  const faults: DevfileFault[] = [];
  const merged: Mapping = { ...parent.devfile };
  for (const list of MERGED_LISTS) {
    const key = keyOf(list);
    const items: Mapping[] = [...(parent.devfile[list] ?? [])];
    overrides[list]?.forEach((override: Mapping, index) => {
      const target = items.findIndex(item => item[key] === override[key]);
      if (target < 0) {
        faults.push({
          path: ['parent', list, index, key],
          message: `${quote(
            String(override[key]),
          )} is not in the parent; new elements belong under ${list}`,
        });
      } else {
        items[target] = mergeMappings(items[target], override);
      }
    });
    if (items.length > 0) {
      merged[list] = items;
    }
  }
  for (const name of Object.keys(overrides.variables ?? {})) {
    if (!Object.hasOwn(parent.devfile.variables ?? {}, name)) {
      faults.push({
        path: ['parent', 'variables', name],
        message: 'is not in the parent; new variables belong under variables',
      });
    }
  }
  for (const field of ['variables', 'attributes'] as const) {
    if (overrides[field]) {
      merged[field] = { ...parent.devfile[field], ...overrides[field] };
    }
  }
  // After an override, an element may lack fields that its new form requires.
  const checked = validateDevfile(merged);
  if (checked.ok) {
    return { parent: { ...parent, devfile: checked.devfile }, faults };
  }
  const located = checked.faults.map(fault => locateFault(parent, fault));
  return { parent, faults: [...faults, ...inParent(source, located)] };
}
