import type { JobServer } from './JobServer.ts';

/**
 * Makes one call of a client; throws if the result is not what the client's documentation
 * describes.
 */
export type Call = () => Promise<void>;

/** The public calls of a client. */
export interface Suite {
  client: string;
  version: string;
  calls: ReadonlyMap<string, Call>;
  /** Public calls that are left out and not counted, by the reason. */
  left: ReadonlyMap<string, readonly string[]>;
  /** All public calls of the client. */
  names: readonly string[];
}

/** The outcome of a call; it passed if there is no error. */
export interface Outcome {
  client: string;
  call: string;
  fault?: string;
}

/** Input of a suite. */
export interface SuiteOptions {
  server: JobServer;
  /** Directory with the installed clients. */
  folder: string;
}

const CALL_MS = 30_000;

/** Runs the calls of a client one after another. */
export async function runSuite(suite: Suite): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const [call, run] of suite.calls) {
    outcomes.push({
      client: suite.client,
      call,
      fault: await faultOf(run),
    });
  }
  return outcomes;
}

/** Returns the public calls that a suite neither makes nor explicitly leaves out. */
export function forgotten({ names, calls, left }: Suite): string[] {
  const known = new Set([...calls.keys(), ...[...left.values()].flat()]);
  return names.filter(
    name => ![...known].some(one => one === name || one.startsWith(`${name} `)),
  );
}

async function faultOf(run: Call): Promise<string | undefined> {
  let timer: NodeJS.Timeout | undefined;
  try {
    await Promise.race([
      run(),
      new Promise((_resolve, reject) => {
        timer = setTimeout(
          () => reject(new Error('No response within 30 s')),
          CALL_MS,
        );
      }),
    ]);
    return undefined;
  } catch (error) {
    const text = error instanceof Error ? error.message : JSON.stringify(error);
    return text.split('\n')[0].slice(0, 160);
  } finally {
    clearTimeout(timer);
  }
}

/** @throws Error unless the condition holds. */
export function check(condition: unknown, expected: string): void {
  if (!condition) {
    throw new Error(`Expected ${expected}`);
  }
}
