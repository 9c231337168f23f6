import type { Flag } from '../../api/types';

/** What a list can be narrowed to; an empty text is no filter. */
export interface FlagFilters {
  /** Part of name or description, whatever its case. */
  q: string;
  type: string;
  /** `on`, `off`, `stale` or `archived`; the last is another list. */
  state: string;
}

/** The flags that are asked for, in their order. */
export function filterFlags(
  flags: readonly Flag[],
  { q, type, state }: FlagFilters,
): Flag[] {
  const words = q.trim().toLocaleLowerCase();
  return flags.filter(
    flag =>
      (!words ||
        flag.name.toLocaleLowerCase().includes(words) ||
        flag.description.toLocaleLowerCase().includes(words)) &&
      (!type || flag.type === type) &&
      hasState(flag, state),
  );
}

function hasState(flag: Flag, state: string): boolean {
  switch (state) {
    case 'on':
      return flag.enabled;
    case 'off':
      return !flag.enabled;
    case 'stale':
      return flag.stale;
    default:
      return true;
  }
}
