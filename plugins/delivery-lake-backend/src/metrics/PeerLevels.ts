import { DoraConfig } from '../config';
import { ServiceDirectory } from '../catalog/ServiceDirectory';
import { Deriver } from '../derivation/Deriver';
import { ScopeKind } from '../scope/scopeNames';
import { ServiceStore } from '../scope/ServiceStore';
import { mapMetrics } from './doraMetric';
import { LevelOf, tableLevels } from './levels';
import { metricValues } from './metricValues';
import { divide } from './parts';
import { PartsReader } from './PartsReader';
import { percentileLevels, PeerValues } from './percentile';
import { Period } from './period';

/** How long a ranking stands: comparing with everybody is dear, and moves slowly. */
const LIFETIME = 10 * 60_000;
const MAX_RANKINGS = 100;

/** Judges metrics by the way that is configured. */
export class PeerLevels {
  readonly #rankings = new Map<
    string,
    { peers: Promise<PeerValues>; expires: number }
  >();
  readonly #table: LevelOf;

  constructor(
    private readonly options: {
      dora: DoraConfig;
      parts: PartsReader;
      services: ServiceStore;
      directory: ServiceDirectory;
      deriver: Deriver;
      now: () => number;
    },
  ) {
    this.#table = tableLevels(options.dora.thresholds);
  }

  /**
   * Levels for a kind of scope in a period.
   *
   * @param kind - undefined: everything, which has no peers.
   * @param whole - the scope is one of the peers, not a cut of it.
   */
  async of(
    kind: ScopeKind | undefined,
    period: Period,
    whole: boolean,
  ): Promise<LevelOf> {
    if (this.options.dora.levels === 'table' || kind === undefined) {
      return this.#table;
    }
    return percentileLevels({
      peers: await this.#peers(kind, period),
      included: whole,
      fallback: this.#table,
    });
  }

  async #peers(kind: ScopeKind, period: Period): Promise<PeerValues> {
    const key = `${kind} ${period.start} ${period.end}`;
    const known = this.#rankings.get(key);
    if (known && known.expires > this.options.now()) {
      return known.peers;
    }
    const peers = this.#rank(kind, period);
    this.#rankings.delete(key);
    this.#rankings.set(key, { peers, expires: this.options.now() + LIFETIME });
    const [oldest] = this.#rankings.keys();
    if (this.#rankings.size > MAX_RANKINGS) {
      this.#rankings.delete(oldest);
    }
    peers.catch(() => this.#rankings.delete(key));
    return peers;
  }

  async #rank(kind: ScopeKind, period: Period): Promise<PeerValues> {
    const { deriver, directory, parts, services } = this.options;
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
