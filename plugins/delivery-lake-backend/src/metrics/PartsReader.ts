import { ServiceDirectory } from '../catalog/ServiceDirectory';
import { Period, SplitPeriod, splitPeriod } from '../days/period';
import { ScopeKind, scopeName } from '../scope/ScopeResolver';
import { DatabaseMetricsStore } from '../storage/DatabaseMetricsStore';
import { LakeService } from '../storage/services';
import {
  noCounts,
  StampedCounts,
  sumCounts,
  sumStamps,
} from '../derivation/Counts';
import { Figures, FiguresReader, inBatches } from './FiguresReader';

/** One team, project or service of a scope. */
export interface Part {
  /** The value of the query parameter for its kind. */
  name: string;
  title: string;
  entityRef: string | null;
  /** Internal ids, ascending. */
  serviceIds: number[];
}

/**
 * Divides services by owner or by component. A service that the catalog does not know has
 * no team and no project.
 */
export function divide(
  services: LakeService[],
  by: ScopeKind,
  directory: Pick<ServiceDirectory, 'titleOf'>,
): Part[] {
  const groups = Map.groupBy(services, service =>
    by === 'service' ? (service.entityRef ?? service.name) : service[by],
  );
  groups.delete(null);
  return [...groups].map(([key, members]) => {
    const [first] = members;
    const entityRef = by === 'service' ? first.entityRef : key;
    const short = entityRef === null ? first.name : scopeName(by, entityRef);
    return {
      // A reported name always resolves to the service itself.
      name: by === 'service' && members.length === 1 ? first.name : short,
      title: entityRef === null ? first.name : directory.titleOf(entityRef),
      entityRef,
      serviceIds: members.map(({ id }) => id).sort((a, b) => a - b),
    };
  });
}

const PARTS_AT_ONCE = 2;

/** Figures of a part of a scope in each requested period. */
interface PartFigures {
  part: Part;
  figures: Figures[];
}

/** Reads the figures of many parts: all counts in one query, medians part by part. */
export class PartsReader {
  readonly #store: DatabaseMetricsStore;
  readonly #figures: FiguresReader;
  readonly #timeZone: string;

  constructor(options: {
    store: DatabaseMetricsStore;
    figures: FiguresReader;
    timeZone: string;
  }) {
    this.#store = options.store;
    this.#figures = options.figures;
    this.#timeZone = options.timeZone;
  }

  /**
   * Reads the figures of the parts with the most deployments.
   *
   * @param options.periods - the first one determines the order.
   * @param options.limit - the number of parts, most deployments first.
   */
  async read(options: {
    parts: Part[];
    periods: Period[];
    limit: number;
  }): Promise<PartFigures[]> {
    const { parts, periods, limit } = options;
    const ids = parts.flatMap(part => part.serviceIds);
    const splits = periods.map(period => splitPeriod(period, this.#timeZone));
    const counts = await Promise.all(
      splits.map(split => this.#count(ids, split)),
    );
    const counted = parts.map(part => ({
      part,
      counts: counts.map(byService => ofPart(part, byService)),
    }));
    counted.sort(
      (a, b) =>
        b.counts[0].counts.deployments - a.counts[0].counts.deployments ||
        a.part.name.localeCompare(b.part.name, 'en'),
    );
    return inBatches(counted.slice(0, limit), PARTS_AT_ONCE, async item => ({
      part: item.part,
      figures: await Promise.all(
        splits.map((split, index) =>
          this.#figures.figures(
            item.part.serviceIds,
            split,
            item.counts[index],
          ),
        ),
      ),
    }));
  }

  async #count(
    ids: number[],
    split: SplitPeriod,
  ): Promise<Map<number, StampedCounts>> {
    const total = new Map<number, StampedCounts>();
    const add = (id: number, more: StampedCounts) => {
      const before = total.get(id);
      total.set(id, before ? sum([before, more]) : more);
    };
    if (split.whole) {
      const whole = await this.#store.serviceCounts(ids, split.whole);
      whole.forEach((counts, id) => add(id, counts));
    }
    for (const edge of split.edges) {
      const [raw, rollups] = await Promise.all([
        this.#store.rawCounts(ids, edge),
        this.#store.serviceCounts(ids, { first: edge.day, last: edge.day }),
      ]);
      raw.forEach((counts, id) =>
        add(id, { counts, stamp: { rows: 0, revisions: 0n } }),
      );
      rollups.forEach(({ stamp }, id) =>
        add(id, { counts: noCounts(), stamp }),
      );
    }
    return total;
  }
}

function sum(parts: StampedCounts[]): StampedCounts {
  return {
    counts: sumCounts(parts.map(part => part.counts)),
    stamp: sumStamps(parts.map(part => part.stamp)),
  };
}

function ofPart(
  part: Part,
  byService: Map<number, StampedCounts>,
): StampedCounts {
  return sum(part.serviceIds.flatMap(id => byService.get(id) ?? []));
}
