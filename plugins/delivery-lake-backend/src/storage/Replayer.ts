import type { Knex } from 'knex';
import { ServiceDirectory } from '../catalog/ServiceDirectory';
import { DeliveryLakeConfig } from '../config';
import {
  DeliveryCompletion,
  RawDeliveryMapper,
  refoldRecords,
  remapDeliveries,
  ReplayStage,
  runStage,
} from './replayStages';

/** The progress of a replay. */
export interface ReplayProgress {
  /** All deliveries are interpreted first; then all records are folded. */
  stage: 'deliveries' | 'records';
  /** Deliveries or records of the stage so far, and their total at its start. */
  done: number;
  total: number;
  /** Pass it as `from` to continue after this point. */
  cursor: string;
}

interface Cursor {
  stage: ReplayProgress['stage'];
  position: unknown;
}

/**
 * Rebuilds all records from the stored deliveries. Every chunk is a transaction that leaves the
 * lake consistent, so it can stop at any point, run twice, and run concurrently with ingestion: no
 * table is ever empty, and correct records are not touched.
 */
export class Replayer {
  readonly #deliveries: ReplayStage<number> | undefined;
  readonly #records: ReplayStage<[kind: string, key: string]>;

  /**
   * @param options.mapper - interprets deliveries; without it, their stored events are kept.
   * @param options.complete - adds facts to a delivery before it is interpreted.
   */
  constructor(options: {
    knex: Knex;
    directory: ServiceDirectory;
    config: Pick<DeliveryLakeConfig, 'environments' | 'clockSkew'>;
    mapper?: RawDeliveryMapper;
    complete?: DeliveryCompletion;
    now?: () => number;
  }) {
    const { mapper } = options;
    this.#deliveries = mapper && remapDeliveries({ ...options, mapper });
    this.#records = refoldRecords(options);
  }

  /**
   * Replays everything, or everything after a cursor.
   *
   * @param options.from - `cursor` of an earlier progress.
   * @param options.onProgress - called after every chunk.
   */
  async replay(
    options: {
      from?: string;
      onProgress?: (progress: ReplayProgress) => void;
    } = {},
  ): Promise<void> {
    const { from, onProgress = () => {} } = options;
    const start: Cursor | undefined = from && JSON.parse(from);
    if (this.#deliveries && start?.stage !== 'records') {
      const after = start ? Number(start.position) : 0;
      await run('deliveries', this.#deliveries, after, onProgress);
    }
    const after =
      start?.stage === 'records' ? (start.position as [string, string]) : null;
    await run('records', this.#records, after ?? ['', ''], onProgress);
  }
}

function run<Position>(
  stage: ReplayProgress['stage'],
  work: ReplayStage<Position>,
  from: Position,
  onProgress: (progress: ReplayProgress) => void,
): Promise<void> {
  return runStage(work, from, ({ position, ...progress }) => {
    const cursor: Cursor = { stage, position };
    onProgress({ stage, ...progress, cursor: JSON.stringify(cursor) });
  });
}
