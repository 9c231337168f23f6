import { setTimeout as sleep } from 'node:timers/promises';
import type { Cell } from '../../query/EventsPlan.ts';
import { EVENTS_TABLE } from '../sql/ClickhouseDialect.ts';

const LOOK_MS = 1_000;

/**
 * Deletes the rows that meet a condition. The engine writes their parts anew behind
 * everything else, and goes on with it at its next start where it is ended meanwhile:
 * asking whether it is done keeps it from being ended as idle.
 *
 * @param options.ask - runs a statement.
 * @param options.signal - ends the wait; the engine deletes them nevertheless.
 * @throws Error when the engine fails at it, e.g. on a full disk.
 */
export async function deleteRows(
  condition: string,
  options: {
    ask: (sql: string) => Promise<Cell[][]>;
    signal: AbortSignal;
  },
): Promise<void> {
  const { ask, signal } = options;
  const [database, table] = EVENTS_TABLE.split('.');
  await ask(
    `ALTER TABLE ${EVENTS_TABLE} DELETE WHERE ${condition} SETTINGS mutations_sync = 0`,
  );
  for (;;) {
    const [[left, fault]] = await ask(
      `SELECT count(), max(latest_fail_reason) FROM system.mutations WHERE database = '${database}' AND table = '${table}' AND NOT is_done SETTINGS output_format_json_quote_64bit_integers = 0`,
    );
    if (fault) {
      throw new Error(`The engine cannot delete events: ${fault}`);
    }
    if (left === 0 || signal.aborted) {
      return;
    }
    await sleep(LOOK_MS, undefined, { signal }).catch(() => undefined);
  }
}
