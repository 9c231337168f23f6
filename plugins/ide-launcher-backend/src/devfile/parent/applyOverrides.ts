import { DevfileFault, inParent, quote } from '../issue';
import { RawParent } from '../schema/devfile';
import { validateDevfile } from '../schema/validateDevfile';
import { FlatDevfile, locateFault, MERGED_LISTS } from './origins';
import { Mapping, mergeMappings } from './strategicMerge';

/** A parent with the overrides of its child applied. */
export interface OverrideResult {
  parent: FlatDevfile;
  faults: DevfileFault[];
}

function keyOf(list: (typeof MERGED_LISTS)[number]): 'id' | 'name' {
  return list === 'commands' ? 'id' : 'name';
}

/**
 * Applies what stands beside the reference in a devfile's `parent`. Overrides
 * change what the parent has; new elements belong in the devfile itself.
 *
 * @param parent - The parent, its own parents merged in.
 * @param overrides - The `parent` section of the child.
 * @param source - The parent's address as messages show it.
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
  // An override can leave an element without what its new form requires.
  const checked = validateDevfile(merged);
  if (checked.ok) {
    return { parent: { ...parent, devfile: checked.devfile }, faults };
  }
  const located = checked.faults.map(fault => locateFault(parent, fault));
  return { parent, faults: [...faults, ...inParent(source, located)] };
}
