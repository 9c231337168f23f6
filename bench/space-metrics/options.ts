import { parseArgs } from 'node:util';
import {
  databaseNames,
  readCount,
  readDatabases,
  type DatabaseName,
} from '../arguments.ts';

/** What a run is to do. */
export interface BenchOptions {
  /** Events of which reads are answered. */
  events: number;
  /** How long each load is kept up. */
  seconds: number;
  databases: DatabaseName[];
}

/** Reads the command line. @throws Error naming the argument at fault. */
export function readOptions(args: string[]): BenchOptions {
  const { values } = parseArgs({
    args,
    options: {
      events: { type: 'string', default: '5_000_000' },
      seconds: { type: 'string', default: '10' },
      database: { type: 'string', multiple: true, default: [...databaseNames] },
    },
  });
  return {
    events: readCount('events', values.events),
    seconds: readCount('seconds', values.seconds),
    databases: readDatabases(values.database),
  };
}
