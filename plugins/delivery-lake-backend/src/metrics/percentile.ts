import {
  DoraMetricName,
  Performance,
} from '@slipway/plugin-delivery-lake-common';
import { LevelOf } from './levels';
import { moreIsBetter } from './trend';

/** The contract's bands: the share of the others that a value is better than. */
const BANDS: readonly [number, Performance][] = [
  [0.9, 'elite'],
  [0.6, 'high'],
  [0.3, 'medium'],
];

/** Values of everybody that has samples, by metric. */
export type PeerValues = Record<DoraMetricName, number[]>;

/** Share of the others that a value beats; who is level with it counts half. */
function shareBeaten(value: number, others: number[], more: boolean): number {
  let beaten = 0;
  for (const other of others) {
    if (other === value) {
      beaten += 0.5;
    } else if (more ? value > other : value < other) {
      beaten += 1;
    }
  }
  return beaten / others.length;
}

/**
 * Levels by rank among peers.
 *
 * @param options.included - the value judged is one of the peers' itself.
 * @param options.fallback - asked where there is nobody to compare with.
 */
export function percentileLevels(options: {
  peers: PeerValues;
  included: boolean;
  fallback: LevelOf;
}): LevelOf {
  const { peers, included, fallback } = options;
  return (metric, current) => {
    if (current.samples === 0) {
      return 'low';
    }
    const others = [...peers[metric]];
    const own = included ? others.indexOf(current.value) : -1;
    if (own >= 0) {
      others.splice(own, 1);
    }
    if (others.length === 0) {
      return fallback(metric, current);
    }
    const share = shareBeaten(current.value, others, moreIsBetter(metric));
    return BANDS.find(([least]) => share >= least)?.[1] ?? 'low';
  };
}
