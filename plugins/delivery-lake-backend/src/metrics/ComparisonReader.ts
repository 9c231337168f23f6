import {
  DoraMetric,
  DoraMetricName,
} from '@slipway/plugin-delivery-lake-common';
import { ServiceDirectory } from '../catalog/ServiceDirectory';
import { ServiceIds } from '../scope/LakeService';
import { ScopeKind } from '../scope/scopeNames';
import { ServiceStore } from '../scope/ServiceStore';
import { doraMetrics } from './doraMetric';
import { divide, Part } from './parts';
import { PartsReader } from './PartsReader';
import { PeerLevels } from './PeerLevels';
import { Period, previousPeriod } from './period';

/** Parts of a scope with their metrics, those with the most deployments first. */
export interface Comparison {
  parts: (Part & { metrics: Record<DoraMetricName, DoraMetric> })[];
  /** There are more parts. */
  truncated: boolean;
}

/** Compares the parts of a scope. */
export class ComparisonReader {
  constructor(
    private readonly options: {
      services: ServiceStore;
      directory: ServiceDirectory;
      parts: PartsReader;
      levels: PeerLevels;
    },
  ) {}

  async read(request: {
    services: ServiceIds;
    by: ScopeKind;
    period: Period;
    limit: number;
  }): Promise<Comparison> {
    const { services, by, period, limit } = request;
    const parts = divide(
      await this.#list(services),
      by,
      this.options.directory,
    );
    const [compared, levelOf] = await Promise.all([
      this.options.parts.read({
        parts,
        periods: [period, previousPeriod(period)],
        limit,
      }),
      this.options.levels.of(by, period, true),
    ]);
    return {
      parts: compared.map(({ part, figures: [current, previous] }) => ({
        ...part,
        metrics: doraMetrics({ current, previous }, levelOf),
      })),
      truncated: parts.length > limit,
    };
  }

  async #list(services: ServiceIds) {
    const all = await this.options.services.list();
    if (services === 'all') {
      return all;
    }
    const wanted = new Set(services);
    return all.filter(service => wanted.has(service.id));
  }
}
