import { FakeSpaceApi } from '../src/__testUtils__/FakeSpaceApi';
import {
  aHiddenReport,
  anEmptyReport,
  aReport,
} from '../src/__testUtils__/reports';
import {
  type DimensionName,
  type DimensionReport,
  DIMENSIONS,
  type Granularity,
  type SpaceQuery,
} from '../src/api/SpaceApi';
import { recordedSeries } from './recordedSeries';

/**
 * An in-memory service. Team `checkout` is too small to be shown, team `new` has no data yet, and
 * requests about team `down` fail.
 */
export class RecordedSpaceApi extends FakeSpaceApi {
  constructor() {
    super();
    this.teams = ['checkout', 'down', 'new', 'payments'];
    this.reports.performance = aReport('performance', {
      trend: 'declining',
      stale: true,
    });
  }

  async getDimension(
    name: DimensionName,
    query: SpaceQuery & { granularity: Granularity },
  ): Promise<DimensionReport> {
    switch (query.team) {
      case 'down':
        await this.refuse('getDimension', {
          status: 504,
          message: 'Error occurred while trying to proxy',
        });
        break;
      case 'checkout':
        this.reports[name] = aHiddenReport(name);
        break;
      case 'new':
        this.reports[name] = anEmptyReport(name);
        break;
      default:
        this.recover();
        this.reports[name] = aReport(name, {
          series: recordedSeries(aReport(name), query),
          stale: name === 'performance',
          trend: DIMENSIONS.indexOf(name) % 2 ? 'declining' : 'improving',
        });
    }
    return super.getDimension(name, query);
  }
}
