import type { ListedFlag } from '../api/flags';
import type { Stage } from '../api/lifecycle';

export const STATES = ['on', 'off', 'stale', 'archived'] as const;

const DAY_MS = 86_400_000;
/** The expected lifetime of a release or experiment flag in days, as in Unleash. */
const EXPECTED_DAYS = 40;
const SHORT_LIVED: ReadonlySet<string> = new Set(['release', 'experiment']);

/** The filters of a list; an empty string means no filter. */
export interface FlagFilters {
  /** Part of the name or description, case-insensitive. */
  q: string;
  type: string;
  /** `on` somewhere, `off` everywhere, `stale` or `archived`; archived flags are a separate list. */
  state: string;
  project: string;
  /** A tag, formatted by {@link tagText}. */
  tag: string;
  /** A stage of the lifecycle. */
  stage: string;
}

/** Returns the flags that match the filters, in order. */
export function filterFlags(
  flags: readonly ListedFlag[],
  { q, type, state, project, tag, stage }: FlagFilters,
  stages: ReadonlyMap<string, Stage> = new Map(),
): ListedFlag[] {
  const words = q.trim().toLocaleLowerCase();
  return flags.filter(
    flag =>
      (!words ||
        flag.name.toLocaleLowerCase().includes(words) ||
        flag.description.toLocaleLowerCase().includes(words)) &&
      (!type || flag.type === type) &&
      (!project || flag.project === project) &&
      (!stage || stages.get(flag.name) === stage) &&
      (!tag || flag.tags.some(each => tagText(each) === tag)) &&
      hasState(flag, state),
  );
}

function hasState(flag: ListedFlag, state: string): boolean {
  const isOn = flag.environments.some(({ enabled }) => enabled);
  switch (state) {
    case 'on':
      return isOn;
    case 'off':
      return !isOn;
    case 'stale':
      return flag.stale || isOverdue(flag);
    default:
      return true;
  }
}

/** Checks whether a flag is older than the expected lifetime of its type. */
export function isOverdue(flag: ListedFlag): boolean {
  const days = expectedDays(flag.type);
  const age = Date.now() - Date.parse(flag.createdAt);
  return (
    !flag.archived && !flag.stale && days !== undefined && age > days * DAY_MS
  );
}

/** Returns the expected lifetime of a type of flag in days; undefined for a permanent one. */
export function expectedDays(type: string): number | undefined {
  return SHORT_LIVED.has(type) ? EXPECTED_DAYS : undefined;
}

/** Lists the tags of flags, sorted. */
export function tagsOf(flags: readonly ListedFlag[]): string[] {
  return [...new Set(flags.flatMap(({ tags }) => tags.map(tagText)))].sort();
}

/** Formats a tag, without the default type. */
export function tagText({ type, value }: ListedFlag['tags'][number]): string {
  return type === 'simple' ? value : `${type}:${value}`;
}
