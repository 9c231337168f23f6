import type { Flag } from './Flag.ts';

const DAY_MS = 86_400_000;

/** The expected lifetime of flags in days by type, as in Unleash; other types are permanent. */
export const LIFETIME_DAYS: ReadonlyMap<string, number> = new Map([
  ['release', 40],
  ['experiment', 40],
]);

/** Returns when a flag reaches the expected lifetime of its type; undefined if it is permanent. */
export function lifetimeEndOf({
  type,
  createdAt,
}: Pick<Flag, 'type' | 'createdAt'>): number | undefined {
  const days = LIFETIME_DAYS.get(type);
  return days === undefined ? undefined : createdAt + days * DAY_MS;
}

/**
 * The stages of a flag, as in Unleash: `initial` until applications evaluate it, `pre-live` until
 * someone in production gets it, `live`, `completed` once it is marked stale, and `archived`.
 */
export const STAGES = [
  'initial',
  'pre-live',
  'live',
  'completed',
  'archived',
] as const;
export type Stage = (typeof STAGES)[number];

/** A stage, and when the flag entered it. */
export interface StageEntry {
  readonly stage: Stage;
  /** Milliseconds since the Unix epoch. */
  readonly enteredAt: number;
}

/**
 * Lists the stages that a flag has entered, in order; the last one is its current stage.
 *
 * @param entered - when the flag entered the recorded stages; milliseconds since the Unix epoch.
 */
export function stagesOf(
  flag: Pick<Flag, 'createdAt' | 'updatedAt' | 'archivedAt' | 'stale'>,
  entered: ReadonlyMap<Stage, number>,
): StageEntry[] {
  const { createdAt, updatedAt, archivedAt, stale } = flag;
  const initial = entered.get('initial') ?? createdAt;
  const live = entered.get('live');
  const preLive = entered.get('pre-live');
  // Later usage outside production does not move a live flag back to pre-live.
  const isPreLive =
    preLive !== undefined && (live === undefined || preLive < live);
  const times: readonly (readonly [Stage, number | undefined])[] = [
    ['initial', initial],
    ['pre-live', isPreLive ? preLive : undefined],
    ['live', live],
    ['completed', stale ? (entered.get('completed') ?? updatedAt) : undefined],
    ['archived', archivedAt ?? undefined],
  ];
  return times.flatMap(([stage, enteredAt]) =>
    enteredAt === undefined
      ? []
      : // An hour of usage may start before the flag was created.
        [{ stage, enteredAt: Math.max(initial, enteredAt) }],
  );
}
