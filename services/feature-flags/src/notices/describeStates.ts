import { isDeepStrictEqual } from 'node:util';
import {
  type FlagState,
  type FlagTraits,
  type Strategy,
  STRATEGY_TITLES,
} from '../model/Flag.ts';

/** Describes how the strategies and variants of a flag changed, one line for each. */
export function describeStates(before: FlagState, after: FlagState): string[] {
  const old = new Map(before.strategies.map(each => [each.id, each]));
  const kept = new Set(after.strategies.map(({ id }) => id));
  return [
    ...after.strategies.flatMap(strategy => {
      const earlier = old.get(strategy.id);
      if (!earlier) {
        return `Strategy added: ${titleOf(strategy)}${extentOf(strategy)}`;
      }
      return isDeepStrictEqual(earlier, strategy)
        ? []
        : describeChange(earlier, strategy);
    }),
    ...before.strategies
      .filter(({ id }) => !kept.has(id))
      .map(each => `Strategy removed: ${titleOf(each)}${extentOf(each)}`),
    ...(isDeepStrictEqual(before.variants, after.variants)
      ? []
      : ['Variants changed']),
  ];
}

function describeChange(before: Strategy, after: Strategy): string {
  const changes = [
    shareOf(before) !== shareOf(after) &&
      `${shareOf(before) ?? 'all'} → ${shareOf(after) ?? 'all'}`,
    Boolean(before.disabled) !== Boolean(after.disabled) &&
      (after.disabled ? 'disabled' : 'enabled'),
    ...(
      [
        ['constraints', 'constraints'],
        ['segments', 'segments'],
        ['variants', 'variants'],
      ] as const
    ).map(
      ([field, words]) =>
        !isDeepStrictEqual(before[field] ?? [], after[field] ?? []) &&
        `${words} changed`,
    ),
  ].filter(change => typeof change === 'string');
  return `${titleOf(after)}: ${changes.join(', ') || 'changed'}`;
}

function titleOf({ title, name }: Strategy): string {
  return title || (STRATEGY_TITLES.get(name) ?? name);
}

function shareOf({ parameters }: Strategy): string | undefined {
  const share = parameters.rollout ?? parameters.percentage;
  return share === undefined ? undefined : `${share}%`;
}

/** Returns the share of a strategy and the number of its conditions, or nothing. */
function extentOf(strategy: Strategy): string {
  const { constraints = [], segments = [] } = strategy;
  const conditions = constraints.length + segments.length;
  const parts = [
    shareOf(strategy),
    conditions > 0 &&
      `${conditions} ${conditions === 1 ? 'condition' : 'conditions'}`,
  ].filter(part => typeof part === 'string');
  return parts.length > 0 ? ` (${parts.join(', ')})` : '';
}

/** Describes the changes of the settings that all environments share. */
export function describeTraits(
  before: FlagTraits,
  after: FlagTraits,
): string[] {
  const changed = (field: keyof FlagTraits) =>
    !isDeepStrictEqual(before[field], after[field]);
  return [
    changed('stale') &&
      (after.stale ? 'Marked as stale' : 'No longer marked as stale'),
    changed('type') && `Type: ${before.type} → ${after.type}`,
    changed('description') && 'Description changed',
    changed('impressionData') &&
      `Impression data turned ${after.impressionData ? 'on' : 'off'}`,
    changed('dependencies') && 'Dependencies changed',
    changed('tags') && 'Tags changed',
    changed('links') && 'Links changed',
  ].filter(line => typeof line === 'string');
}
