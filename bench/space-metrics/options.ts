import { parseArgs } from 'node:util';

const DATABASES = ['sqlite', 'postgres'] as const;

/** What a run is to do. */
export interface BenchOptions {
  /** Events of which reads are answered. */
  events: number;
  /** How long each load is kept up. */
  seconds: number;
  databases: (typeof DATABASES)[number][];
}

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
      events: { type: 'string', default: '5_000_000' },
      seconds: { type: 'string', default: '10' },
      database: { type: 'string', multiple: true, default: [...DATABASES] },
    },
  });
  return {
    events: count('events', values.events),
    seconds: count('seconds', values.seconds),
    databases: values.database.map(name => {
      const known = DATABASES.find(database => database === name);
      if (!known) {
        throw new Error(`--database ${name} is neither sqlite nor postgres`);
      }
      return known;
    }),
  };
}
