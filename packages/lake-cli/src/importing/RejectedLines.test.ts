import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { RejectedLines } from './importFile.ts';

const rejection = { line: 3, error: 'id is required', item: {} };
const written = `${JSON.stringify(rejection)}\n`;

describe('RejectedLines', () => {
  let directory: string;
  let file: string;
  beforeEach(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'rejected-'));
    file = path.join(directory, 'history.rejected.ndjson');
  });
  afterEach(() => rm(directory, { recursive: true }));

  it('appends to the lines of an earlier run', async () => {
    await writeFile(file, 'kept\nsaid again');
    const lines = await RejectedLines.open(file, 5);
    await lines.add([rejection]);
    expect(await readFile(file, 'utf8')).toBe(`kept\n${written}`);
    expect(lines.bytes).toBe(5 + written.length);
  });

  it('continues after the file was deleted', async () => {
    const lines = await RejectedLines.open(file, 5);
    await lines.add([rejection]);
    expect(await readFile(file, 'utf8')).toBe(written);
    expect(lines.bytes).toBe(written.length);
  });
});
