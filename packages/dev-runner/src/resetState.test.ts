import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { resetState } from './resetState.ts';
import { RunRecords } from './supervision/RunRecords.ts';

describe('resetState', () => {
  let root: string;
  let stateDirectory: string;

  beforeEach(() => {
    root = mkdtempSync(path.join(tmpdir(), 'dev-runner-'));
    stateDirectory = path.join(root, '.data');
    mkdirSync(path.join(stateDirectory, 'databases'), { recursive: true });
    writeFileSync(
      path.join(stateDirectory, 'databases/catalog.sqlite'),
      'rows',
    );
  });

  afterEach(() => rmSync(root, { recursive: true }));

  async function reset() {
    const said: string[] = [];
    const exitCode = await resetState({
      stateDirectory,
      say: text => said.push(text),
    });
    return { exitCode, said };
  }

  it('deletes the state, and prints what it deletes', async () => {
    expect(await reset()).toEqual({
      exitCode: 0,
      said: ['removed .data/databases'],
    });
    expect(existsSync(path.join(stateDirectory, 'databases'))).toBe(false);
  });

  it('refuses while the platform is running', async () => {
    new RunRecords(stateDirectory).recordRunner();

    const { exitCode, said } = await reset();

    expect(exitCode).toBe(1);
    expect(said).toEqual([
      `the platform runs, as process ${process.pid}: stop it before you reset its state`,
    ]);
    expect(existsSync(path.join(stateDirectory, 'databases'))).toBe(true);
  });

  it('reports that there is nothing to delete', async () => {
    rmSync(stateDirectory, { recursive: true });

    expect(await reset()).toEqual({
      exitCode: 0,
      said: ['nothing to remove: .data is empty'],
    });
  });
});
