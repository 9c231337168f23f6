import { parseArgs } from 'node:util';

/** What a run is to do. */
export interface BenchOptions {
  /** Deployments of the large lake. */
  deployments: number;
  /** Deployments of the lake to compare with. */
  small: number;
  databases: ('sqlite' | 'postgres')[];
  /** Use what an earlier run has loaded. */
  reuse: boolean;
}

const DATABASES = ['sqlite', 'postgres'] as const;

function count(name: string, text: string): number {
  const value = Number(text.replaceAll(/[_,]/g, ''));
  if (!Number.isInteger(value) || value < 1) {
    throw new Error(`--${name} ${text} is no whole number from 1`);
  }
  return value;
}

/** Reads the command line. @throws Error naming the argument at fault. */
export function readOptions(args: string[]): BenchOptions {
  const { values } = parseArgs({
    args,
    options: {
      deployments: { type: 'string', default: '10_000_000' },
      small: { type: 'string', default: '100_000' },
      database: { type: 'string', multiple: true, default: [...DATABASES] },
      reuse: { type: 'boolean', default: false },
    },
  });
  return {
    deployments: count('deployments', values.deployments),
    small: count('small', values.small),
    databases: values.database.map(name => {
      const known = DATABASES.find(database => database === name);
      if (!known) {
        throw new Error(`--database ${name} is neither sqlite nor postgres`);
      }
      return known;
    }),
    reuse: values.reuse,
  };
}
