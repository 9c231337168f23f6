import { endGroup, isRunning } from '@slipway/processes';
import { groupCarries } from './groupCarries.ts';
import type { PartRecord, RunRecords } from './RunRecords.ts';

/**
 * Ends the parts that an earlier run left behind and returns their names. A
 * recorded process id that belongs to another process by now is left alone.
 */
export async function endStaleParts(
  records: RunRecords,
  options: { graceMs: number },
): Promise<string[]> {
  const recorded = records.recordedParts();
  const stale = recorded.filter(leftProcesses);
  await Promise.all(stale.map(record => endGroup(record.process.pid, options)));
  recorded.forEach(({ part }) => records.forgetPart(part));
  return stale.map(({ part }) => part);
}

/** Its main process, or children of one that has ended. */
function leftProcesses({ process, marker }: PartRecord): boolean {
  return isRunning(process) || groupCarries(process.pid, marker);
}
