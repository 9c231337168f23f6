import type { DatabaseSection } from '../BenchDatabase.ts';
import type { Organisation } from '../Organisation.ts';

/** Environment variable that holds {@link BareOptions} as JSON. */
export const BARE_OPTIONS = 'SLIPWAY_BENCH_BARE';

/** What the bare server is started with. */
export interface BareOptions {
  port: number;
  /** Where its rows go; not the service's own database. */
  database: DatabaseSection;
  /** Whose portal it stands in for. */
  organisation: Organisation;
}
