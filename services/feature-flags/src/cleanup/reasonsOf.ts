import {
  type Flag,
  type FlagState,
  SHARE_PARAMETERS,
  stateOf,
} from '../model/Flag.ts';
import { lifetimeEndOf } from '../model/Lifecycle.ts';

/** The reasons why a flag is ready to be removed. */
export const CLEAN_UP_REASONS = [
  'stale',
  'overdue',
  'unused',
  'on-everywhere',
  'off-everywhere',
] as const;
export type CleanUpReason = (typeof CLEAN_UP_REASONS)[number];

const DAY_MS = 86_400_000;
/** Types of flags that normally stay in one state for a long time. */
const PERMANENT: ReadonlySet<string> = new Set(['kill-switch', 'permission']);

/** Lists why a flag is ready to be removed; empty if it is not. */
export function reasonsOf(
  flag: Flag,
  options: {
    /** The enabled environments. */
    environments: readonly string[];
    /** When it was last evaluated anywhere, as far back as usage is stored. */
    lastUsedAt: number | undefined;
    /** True if the usage of the flag has been observed for fewer than `unusedDays`, e.g. since an import. */
    isNew: boolean;
    unusedDays: number;
    settledDays: number;
    now: number;
  },
): CleanUpReason[] {
  const { environments, lastUsedAt, isNew } = options;
  const { unusedDays, settledDays, now } = options;
  const isOlder = (at: number, days: number) => now - at >= days * DAY_MS;
  const lifetimeEnd = lifetimeEndOf(flag);
  const states = environments.map(name => stateOf(flag, name));
  const isSettled =
    states.length > 0 &&
    !PERMANENT.has(flag.type) &&
    isOlder(flag.updatedAt, settledDays);
  const checks: Record<CleanUpReason, boolean> = {
    stale: flag.stale,
    overdue: lifetimeEnd !== undefined && now >= lifetimeEnd,
    unused:
      !isNew && (lastUsedAt === undefined || isOlder(lastUsedAt, unusedDays)),
    'on-everywhere':
      isSettled &&
      flag.dependencies.length === 0 &&
      states.every(isOnForEveryone),
    'off-everywhere': isSettled && states.every(isOff),
  };
  return CLEAN_UP_REASONS.filter(reason => checks[reason]);
}

/** Checks whether a flag is on for every context, without variants to choose from. */
function isOnForEveryone({ enabled, strategies, variants }: FlagState) {
  return (
    enabled &&
    variants.length === 0 &&
    (strategies.length === 0 ||
      strategies.some(
        ({ name, disabled, parameters, constraints, segments, ...rest }) =>
          !disabled &&
          !constraints?.length &&
          !segments?.length &&
          !rest.variants?.length &&
          (name === 'default' ||
            parameters[SHARE_PARAMETERS.get(name) ?? ''] === '100'),
      ))
  );
}

/** Checks whether a flag is off for every context, e.g. because all its strategies are disabled. */
function isOff({ enabled, strategies }: FlagState): boolean {
  return (
    !enabled ||
    (strategies.length > 0 && strategies.every(({ disabled }) => disabled))
  );
}
