import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { repairJson } from '@slipway/service-kit';
import { ImportClient, RefusedError } from './ImportClient.ts';
import {
  convertRow,
  type ImportedEvent,
  type ImportedPerson,
  type PeopleByPerson,
} from './convertRow.ts';
import { readExport } from './readExport.ts';

/** The outcome of an import. */
export interface ImportReport {
  rows: number;
  events: number;
  /** Events that the project already had. */
  repeated: number;
  persons: number;
  /** Rows before the position at which an earlier run stopped. */
  resumed: number;
  /** Why rows were not imported, with their number and the first line. */
  readonly skipped: Map<string, { rows: number; line: number }>;
  /** Parts of rows that were not imported. */
  readonly notes: Map<string, number>;
}

interface Item {
  readonly line: number;
  readonly bytes: number;
  readonly content:
    { readonly event: ImportedEvent } | { readonly person: ImportedPerson };
}

/** Limits of one request. */
const MAX_ITEMS = 2_000;
const MAX_BYTES = 4 * 1024 * 1024;

/** Stores the line up to which a file is imported, in a file next to it. */
class Position {
  readonly #file: string;
  readonly #of: { target: string; size: number };

  constructor(file: string, of: { target: string; size: number }) {
    this.#file = `${file}.import-state`;
    this.#of = of;
  }

  /** Returns the line; 0 if none is stored, or if it is for another project or version of the file. */
  async read(): Promise<number> {
    try {
      const { target, size, line } = JSON.parse(
        await readFile(this.#file, 'utf8'),
      );
      const isSame = target === this.#of.target && size === this.#of.size;
      return isSame && Number.isInteger(line) ? line : 0;
    } catch {
      return 0;
    }
  }

  async write(line: number): Promise<void> {
    const next = `${this.#file}.new`;
    await writeFile(next, JSON.stringify({ ...this.#of, line }));
    await rename(next, this.#file);
  }

  remove(): Promise<void> {
    return rm(this.#file, { force: true });
  }
}

/**
 * Imports a file in order. Writes its position next to the file after each stored request,
 * so that a later run resumes there.
 * @param options.client - undefined to only check the file, without sending anything.
 */
export async function importFile(
  file: string,
  options: {
    client: ImportClient | undefined;
    target: string;
    onProgress: (report: ImportReport) => void;
  },
): Promise<ImportReport> {
  const { client, target, onProgress } = options;
  const report: ImportReport = {
    rows: 0,
    events: 0,
    repeated: 0,
    persons: 0,
    resumed: 0,
    skipped: new Map(),
    notes: new Map(),
  };
  const position = new Position(file, {
    target,
    size: (await stat(file)).size,
  });
  const done = client ? await position.read() : 0;
  const people: PeopleByPerson = new Map();
  let batch: Item[] = [];
  let bytes = 0;
  const flush = async (line: number) => {
    if (client) {
      await send(batch, { client, report });
      await position.write(line);
    } else {
      count(batch, report);
    }
    batch = [];
    bytes = 0;
    onProgress(report);
  };
  let last = 0;
  for await (const { line, value } of readExport(file)) {
    // A line may contain several rows, and requests only end between lines.
    if (line !== last && (batch.length >= MAX_ITEMS || bytes >= MAX_BYTES)) {
      await flush(last);
    }
    last = line;
    report.rows += 1;
    const converted = convertRow(
      value && (repairJson(value) as Record<string, unknown>),
      people,
    );
    if (line <= done) {
      report.resumed += 1;
      continue;
    }
    for (const note of converted.notes ?? []) {
      report.notes.set(note, (report.notes.get(note) ?? 0) + 1);
    }
    if (converted.kind === 'skipped') {
      skip(report, converted.reason, line);
      continue;
    }
    const size = JSON.stringify(converted).length;
    batch.push({ line, bytes: size, content: converted });
    bytes += size;
  }
  await flush(last);
  await position.remove();
  return report;
}

function count(batch: readonly Item[], report: ImportReport): void {
  const events = batch.filter(({ content }) => 'event' in content).length;
  report.events += events;
  report.persons += batch.length - events;
}

/** Sends events and persons; halves a rejected request until the invalid row is found. */
async function send(
  items: readonly Item[],
  options: { client: ImportClient; report: ImportReport },
): Promise<void> {
  const { client, report } = options;
  const events = items.filter(({ content }) => 'event' in content);
  const persons = items.filter(({ content }) => 'person' in content);
  await inHalves(events, report, async part => {
    const { duplicates = 0 } = await client.sendEvents(
      part.map(({ content }) => (content as { event: ImportedEvent }).event),
    );
    report.events += part.length;
    report.repeated += duplicates;
  });
  await inHalves(persons, report, async part => {
    await client.sendPersons(
      part.map(({ content }) => (content as { person: ImportedPerson }).person),
    );
    report.persons += part.length;
  });
}

async function inHalves(
  items: readonly Item[],
  report: ImportReport,
  work: (items: readonly Item[]) => Promise<void>,
): Promise<void> {
  if (items.length === 0) {
    return;
  }
  try {
    await work(items);
  } catch (error) {
    if (!(error instanceof RefusedError)) {
      throw error;
    }
    if (items.length === 1) {
      skip(report, error.message, items[0].line);
      return;
    }
    const middle = Math.ceil(items.length / 2);
    await inHalves(items.slice(0, middle), report, work);
    await inHalves(items.slice(middle), report, work);
  }
}

function skip(report: ImportReport, reason: string, line: number): void {
  const { rows = 0, line: first = line } = report.skipped.get(reason) ?? {};
  report.skipped.set(reason, { rows: rows + 1, line: first });
}
