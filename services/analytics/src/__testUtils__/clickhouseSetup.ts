import { fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { EngineName } from '../store/EventStore.ts';

/** Returns the address of a ClickHouse server for tests; undefined if there is none. */
export function clickhouseUrl(): string | undefined {
  return process.env.ANALYTICS_TEST_CLICKHOUSE;
}

/** Names the database that only the service with this directory uses. */
export function clickhouseDatabase(directory: string): string {
  const name = createHash('sha256').update(directory).digest('hex');
  return `t${name.slice(0, 16)}`;
}

/** Returns the configuration of a database that only the service with this directory uses. */
export function clickhouseConfig(directory: string): { url: string } {
  return { url: `${clickhouseUrl()}/${clickhouseDatabase(directory)}` };
}

/** Returns the event store's configuration for the service with this directory. */
export function eventsConfig(engine: EngineName, directory: string) {
  return {
    directory,
    engine,
    ...(engine === 'clickhouse' && {
      clickhouse: clickhouseConfig(directory),
    }),
  };
}

/** Runs an operator's statement, such as a backup, on the test server. */
export async function runOnClickhouse(sql: string): Promise<string> {
  const response = await fetch(clickhouseUrl()!, { method: 'POST', body: sql });
  const text = await response.text();
  if (!response.ok) {
    throw new Error(text);
  }
  return text;
}

/**
 * Starts a stand-in for a ClickHouse server, as Vitest's global setup.
 *
 * @returns the tear-down.
 */
export async function setup(): Promise<(() => void) | undefined> {
  const child = fork(
    fileURLToPath(new URL('./clickhouseStandIn.ts', import.meta.url)),
    [],
    { stdio: ['ignore', 'ignore', 'inherit', 'ipc'], execArgv: [] },
  );
  const url = await new Promise<string | undefined>(resolve => {
    child.once('message', ({ address }: { address?: string }) =>
      resolve(address),
    );
    child.once('exit', () => resolve(undefined));
  });
  if (url === undefined) {
    return undefined;
  }
  process.env.ANALYTICS_TEST_CLICKHOUSE = url;
  return () => {
    child.kill('SIGKILL');
  };
}
