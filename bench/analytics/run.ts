import { existsSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { readCount } from '../arguments.ts';
import { runBench } from '../runBench.ts';
import type { Row } from '../workspaces/Row.ts';
import { measureCapture } from './measureCapture.ts';
import { type Answered, measureQuestions, rowsOf } from './measureQuestions.ts';
import { type Engine, startBare, startService } from './servers.ts';

// How fast events are taken in and asked about: `yarn bench:analytics`. Exits with 1
// when a target is missed, so that it can stand in a pipeline.

const repository = path.resolve(import.meta.dirname, '../..');
const directory = path.join(repository, '.data/bench/analytics');

async function run(): Promise<Row[]> {
  const { values } = parseArgs({
    options: {
      events: { type: 'string', default: '1_000_000' },
      seconds: { type: 'string', default: '15' },
    },
  });
  const events = readCount('events', values.events);
  const seconds = readCount('seconds', values.seconds);
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  try {
    const capture = await captureRow(seconds);
    const sqlite = await answered('sqlite', events);
    const hasChdb = existsSync(path.join(repository, '.tools/chdb'));
    if (!hasChdb) {
      console.log('chDB is not installed (yarn chdb:install), SQLite alone');
    }
    const chdb = hasChdb ? await answered('chdb', events) : undefined;
    return [capture, ...rowsOf(events, { sqlite, chdb })];
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

async function captureRow(seconds: number): Promise<Row> {
  console.log('Single events');
  const bare = await startBare(path.join(directory, 'bare.sqlite'));
  const service = await startService({
    directory: path.join(directory, 'capture'),
    engine: 'sqlite',
  });
  try {
    return await measureCapture({ service, bare, seconds });
  } finally {
    await service.stop();
    await bare.stop();
  }
}

async function answered(engine: Engine, events: number): Promise<Answered> {
  console.log(`${events.toLocaleString('en')} events, ${engine}`);
  const service = await startService({
    directory: path.join(directory, engine),
    engine,
  });
  try {
    return await measureQuestions(service, events);
  } finally {
    await service.stop();
  }
}

runBench(run);
