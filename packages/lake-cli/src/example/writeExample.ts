import { writeFile } from 'node:fs/promises';
import { UsageError } from '../arguments.ts';
import { DAY_MS, exampleDay } from './exampleDay.ts';
import { EXAMPLE_SERVICES } from './organisation.ts';

const DAYS = 120;

/** A summary of a written example. */
export interface ExampleSummary {
  items: number;
  services: string[];
}

/**
 * Creates the history of the demonstration's last 120 days, one JSON object per line, oldest first.
 */
export function exampleLines(options: { seed: string; now: number }): string[] {
  const { seed, now } = options;
  const today = Math.floor(now / DAY_MS) * DAY_MS;
  return Array.from({ length: DAYS + 1 }, (_, back) => today - back * DAY_MS)
    .flatMap(day =>
      EXAMPLE_SERVICES.flatMap(service => exampleDay({ seed, service, day })),
    )
    .filter(({ at }) => at < now)
    .sort((a, b) => a.at - b.at)
    .map(({ kind, fields }) => JSON.stringify({ kind, ...fields }));
}

/**
 * Writes the demonstration's history to a new file.
 *
 * @throws UsageError if the file already exists.
 */
export async function writeExample(options: {
  file: string;
  seed: string;
  now?: number;
}): Promise<ExampleSummary> {
  const { file, seed, now = Date.now() } = options;
  if (!/\.(?:ndjson|jsonl)$/i.test(file)) {
    throw new UsageError(`${file} must end in .ndjson or .jsonl`);
  }
  const lines = exampleLines({ seed, now });
  try {
    await writeFile(file, `${lines.join('\n')}\n`, { flag: 'wx' });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') {
      throw new UsageError(`${file} already exists; name another file`);
    }
    throw error;
  }
  return {
    items: lines.length,
    services: EXAMPLE_SERVICES.map(({ name }) => name),
  };
}
