import { parseArgs } from 'node:util';
import {
  databaseNames,
  readCount,
  readDatabases,
  type DatabaseName,
} from '../arguments';

/** What a run is to do. */
export interface BenchOptions {
  /** Deployments of the large lake. */
  deployments: number;
  /** Deployments of the lake to compare with. */
  small: number;
  databases: DatabaseName[];
  /** Use what an earlier run has loaded. */
  reuse: boolean;
}

/** Reads the command line. @throws Error naming the argument at fault. */
export function readOptions(args: string[]): BenchOptions {
  const { values } = parseArgs({
    args,
    options: {
      deployments: { type: 'string', default: '10_000_000' },
      small: { type: 'string', default: '100_000' },
      database: { type: 'string', multiple: true, default: [...databaseNames] },
      reuse: { type: 'boolean', default: false },
    },
  });
  return {
    deployments: readCount('deployments', values.deployments),
    small: readCount('small', values.small),
    databases: readDatabases(values.database),
    reuse: values.reuse,
  };
}
