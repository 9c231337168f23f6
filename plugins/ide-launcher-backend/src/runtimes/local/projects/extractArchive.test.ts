import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { renamed, zipArchive } from '../__testUtils__/zipArchive';
import { extractArchive } from './extractArchive';

const MEBIBYTE = 1024 ** 2;
const LINK = 0o120777;

describe('extractArchive', () => {
  let root: string;
  let folder: string;

  beforeEach(() => {
    root = mkdtempSync(path.join(tmpdir(), 'zip-'));
    folder = path.join(root, 'draft');
    mkdirSync(folder);
  });

  afterEach(() => rmSync(root, { recursive: true }));

  function extract(archive: Buffer, options: { signal?: AbortSignal } = {}) {
    const file = path.join(root, 'archive.zip');
    writeFileSync(file, archive);
    return extractArchive({
      archive: file,
      folder,
      limits: {
        maxBytes: 64 * MEBIBYTE,
        maxEntries: 100,
      },
      signal: options.signal ?? new AbortController().signal,
    });
  }

  const read = (name: string) => readFileSync(path.join(folder, name), 'utf8');
  const written = () =>
    readdirSync(root, { recursive: true })
      .map(String)
      .filter(name => name !== 'draft' && name !== 'archive.zip')
      .sort();

  it('writes files and folders, and drops the folder around them', async () => {
    const archive = await zipArchive({
      'shop-main/': '',
      'shop-main/README.md': 'Shop\n',
      'shop-main/bin/run': ['#!/bin/sh\n', 0o104777],
      'shop-main/empty/': '',
    });
    expect(await extract(archive)).toBe(0);
    expect(read('README.md')).toBe('Shop\n');
    expect(statSync(path.join(folder, 'bin/run')).mode % 0o10000).toBe(0o700);
    expect(statSync(path.join(folder, 'README.md')).mode % 0o10000).toBe(0o600);
    expect(readdirSync(path.join(folder, 'empty'))).toEqual([]);
  });

  it('keeps several top-level entries', async () => {
    await extract(await zipArchive({ 'a/x': '1', 'b/x': '2', c: '3' }));
    expect([read('a/x'), read('b/x'), read('c')]).toEqual(['1', '2', '3']);
  });

  it('unpacks what git packs', async () => {
    const repository = path.join(root, 'repository');
    const git = (...args: string[]) =>
      execFileSync('git', ['-C', repository, ...args]);
    mkdirSync(repository);
    git('init', '-q');
    writeFileSync(path.join(repository, 'größe.txt'), 'groß\n');
    git('add', '.');
    git('-c', 'user.name=A', '-c', 'user.email=a@b', 'commit', '-qm', 'x');
    const archive = git('archive', '--format=zip', '--prefix=p-1/', 'HEAD');
    expect(await extract(archive)).toBe(0);
    expect(read('größe.txt')).toBe('groß\n');
  });

  it.each([
    '../../escaped',
    '/tmp/escaped0',
    'C:/x/escaped0',
    'xx\\..\\escaped',
  ])('writes nothing of an archive that holds %s', async evil => {
    const plain = 'x'.repeat(evil.length);
    const archive = renamed(
      await zipArchive({ 'ok.txt': 'fine', [plain]: 'evil' }),
      plain,
      evil,
    );
    expect(await extract(archive)).toMatch(
      /^it (cannot be unpacked: (invalid relative path|absolute path)|holds a file outside)/,
    );
    expect(written()).toEqual([]);
  });

  it('makes no links, so that nothing is written through one', async () => {
    const archive = await zipArchive({ out: ['../..', LINK], 'ok.txt': 'ok' });
    expect(await extract(archive)).toBe(1);
    expect(written()).toEqual(['draft/ok.txt']);

    const through = renamed(
      await zipArchive({ out: ['..', LINK], 'oot/escaped.txt': 'evil' }),
      'oot/',
      'out/',
    );
    await extract(through);
    expect(written()).not.toContain('escaped.txt');
  });

  it.each([
    ['is larger', 100 * MEBIBYTE, 'it is larger than 64 MiB'],
    [
      'grows too much',
      60 * MEBIBYTE,
      'it grows to more than 100 times its size',
    ],
  ])('writes nothing of an archive that %s', async (_, bytes, fault) => {
    const archive = await zipArchive({ zeros: Buffer.alloc(bytes) });
    expect(archive.length).toBeLessThan(MEBIBYTE);
    expect(await extract(archive)).toBe(fault);
    expect(written()).toEqual([]);
  });

  it('stops at the declared size of a file, whatever its content', async () => {
    const archive = await zipArchive({ zeros: Buffer.alloc(40 * MEBIBYTE) });
    const size = Buffer.alloc(4);
    size.writeUInt32LE(40 * MEBIBYTE);
    const lie = Buffer.alloc(4);
    lie.writeUInt32LE(1000);
    const fault = await extract(
      renamed(archive, size.toString('latin1'), lie.toString('latin1')),
    );
    expect(fault).toMatch(/^it cannot be unpacked: too many bytes/);
    expect(statSync(path.join(folder, 'zeros')).size).toBeLessThan(MEBIBYTE);
  });

  it('counts entries before it reads them', async () => {
    const archive = await zipArchive({ a: '' });
    // The number of entries, twice, in the record at the end.
    const count = archive.length - 22 + 8;
    for (const [told, fault] of [
      [60_000, 'it contains more than 100 files'],
      [3, 'it cannot be unpacked: unexpected EOF'],
    ] as const) {
      archive.writeUInt16LE(told, count);
      archive.writeUInt16LE(told, count + 2);
      expect(await extract(archive)).toBe(fault);
    }
  });

  it('reports why a file is not an archive', async () => {
    expect(await extract(Buffer.from('<html>not found</html>'))).toMatch(
      /^it cannot be unpacked: .*(central directory|not a zip)/i,
    );
    const twice = renamed(await zipArchive({ a1: '', a2: '' }), 'a2', 'a1');
    expect(await extract(twice)).toBe('it cannot be unpacked: EEXIST');
  });

  it('ends when it is cancelled', async () => {
    const archive = await zipArchive({ a: 'x' });
    await expect(
      extract(archive, { signal: AbortSignal.abort(new Error('enough')) }),
    ).rejects.toThrow('enough');
  });
});
