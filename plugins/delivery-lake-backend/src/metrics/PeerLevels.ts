import {
  DoraMetricName,
  moreIsBetter,
  Performance,
} from '@slipway/plugin-delivery-lake-common';
import { ServiceDirectory } from '../catalog/ServiceDirectory';
import { DoraConfig } from '../config';
import { Period } from '../days/period';
import { Deriver } from '../derivation/Deriver';
import { ScopeKind } from '../scope/ScopeResolver';
import { DatabaseServiceStore } from '../storage/services';
import { LevelOf, mapMetrics, metricValues, tableLevels } from './doraMetric';
import { divide, PartsReader } from './PartsReader';

/** The contract's bands, by the share of peers that a value beats. */
const BANDS: readonly [number, Performance][] = [
  [0.9, 'elite'],
  [0.6, 'high'],
  [0.3, 'medium'],
];

/** Values of all peers with samples, by metric. */
type PeerValues = Record<DoraMetricName, number[]>;

/** Returns the share of others that a value beats; ties count half. */
function shareBeaten(
  value: number,
  others: number[],
  higherIsBetter: boolean,
): number {
  let beaten = 0;
  for (const other of others) {
    if (other === value) {
      beaten += 0.5;
    } else if (higherIsBetter ? value > other : value < other) {
      beaten += 1;
    }
  }
  return beaten / others.length;
}

/**
 * Returns levels by rank among peers.
 *
 * @param options.included - whether the judged value is among the peers' values.
 * @param options.fallback - used if there are no peers.
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

/**
 * Time for which a ranking is cached: computing it is expensive, and it changes slowly.
 */
const LIFETIME_MS = 10 * 60_000;
const MAX_RANKINGS = 100;

interface PeerLevelsOptions {
  dora: DoraConfig;
  parts: PartsReader;
  services: DatabaseServiceStore;
  directory: ServiceDirectory;
  deriver: Deriver;
  now: () => number;
}

/** Assigns levels to metrics by the configured method. */
export class PeerLevels {
  readonly #rankings = new Map<
    string,
    { peers: Promise<PeerValues>; expires: number }
  >();
  readonly #options: PeerLevelsOptions;
  readonly #table: LevelOf;

  constructor(options: PeerLevelsOptions) {
    this.#options = options;
    this.#table = tableLevels(options.dora.thresholds);
  }

  /**
   * Returns the levels for a kind of scope in a period.
   *
   * @param kind - undefined for the whole lake, which has no peers.
   * @param isPeer - whether the scope is one of the peers, not a part of one.
   */
  async of(
    kind: ScopeKind | undefined,
    period: Period,
    isPeer: boolean,
  ): Promise<LevelOf> {
    if (this.#options.dora.levels === 'table' || kind === undefined) {
      return this.#table;
    }
    return percentileLevels({
      peers: await this.#peers(kind, period),
      included: isPeer,
      fallback: this.#table,
    });
  }

  async #peers(kind: ScopeKind, period: Period): Promise<PeerValues> {
    const key = `${kind} ${period.start} ${period.end}`;
    const known = this.#rankings.get(key);
    if (known && known.expires > this.#options.now()) {
      return known.peers;
    }
    const peers = this.#rank(kind, period);
    this.#rankings.delete(key);
    this.#rankings.set(key, {
      peers,
      expires: this.#options.now() + LIFETIME_MS,
    });
    const [oldest] = this.#rankings.keys();
    if (this.#rankings.size > MAX_RANKINGS) {
      this.#rankings.delete(oldest);
    }
    peers.catch(() => this.#rankings.delete(key));
    return peers;
  }

  async #rank(kind: ScopeKind, period: Period): Promise<PeerValues> {
    const { deriver, directory, parts, services } = this.#options;
    await deriver.drain();
    const all = divide(await services.list(), kind, directory);
    const read = await parts.read({
      parts: all,
      periods: [period],
      limit: all.length,
    });
    const values = read.map(({ figures }) => metricValues(figures[0]));
    return mapMetrics(metric =>
      values
        .filter(value => value[metric].samples > 0)
        .map(value => value[metric].value),
    );
  }
}
