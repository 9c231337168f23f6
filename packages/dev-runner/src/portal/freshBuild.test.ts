import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { replaceBuild } from './freshBuild.ts';

describe('replaceBuild', () => {
  let root: string;

  beforeEach(() => {
    root = mkdtempSync(path.join(tmpdir(), 'fresh-build-'));
  });

  afterEach(() => rmSync(root, { recursive: true }));

  function make(name: string): string {
    const folder = path.join(root, name);
    mkdirSync(folder);
    writeFileSync(path.join(folder, 'index.html'), name);
    return folder;
  }

  it.each([
    ['where there is none', () => {}],
    ['where there is one', () => make('dist')],
    [
      'where there is an empty folder',
      () => mkdirSync(path.join(root, 'dist')),
    ],
  ])('puts a build %s', (_case, prepare) => {
    prepare();
    const dist = path.join(root, 'dist');
    replaceBuild(make('first'), dist);
    replaceBuild(make('second'), dist);

    expect(readFileSync(path.join(dist, 'index.html'), 'utf8')).toBe('second');
  });

  it('says what the file system says of any other hindrance', () => {
    const dist = path.join(root, 'dist');
    writeFileSync(dist, 'a file');

    expect(() => replaceBuild(make('first'), dist)).toThrow('ENOTDIR');
  });
});
