import type { DatabaseSection } from '../BenchDatabase.ts';
import type { Organisation } from '../Organisation.ts';

/** Environment variable that holds {@link BareOptions} as JSON. */
export const BARE_OPTIONS = 'SLIPWAY_BENCH_BARE';

/** What the bare server is started with. */
export interface BareOptions {
  port: number;
  /** The database for its rows, apart from the service's own. */
  database: DatabaseSection;
  /** The organisation that its stand-in for the portal knows. */
  organisation: Organisation;
}
