import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { placeProject } from './ownFiles';

describe('placeProject', () => {
  let root: string;

  beforeEach(() => {
    root = mkdtempSync(path.join(tmpdir(), 'place-'));
    mkdirSync(path.join(root, 'draft/app'), { recursive: true });
    mkdirSync(path.join(root, 'victim/inner'), { recursive: true });
    writeFileSync(path.join(root, 'draft/app/index.js'), '');
    symlinkSync(path.join(root, 'victim'), path.join(root, 'draft/link'));
  });

  afterEach(() => rmSync(root, { recursive: true }));

  const folder = () => path.join(root, 'projects/group/shop');
  const place = (subDir?: string) =>
    placeProject({ draft: path.join(root, 'draft'), subDir, folder: folder() });

  it('moves the whole draft', async () => {
    expect(await place()).toBeNull();
    expect(readdirSync(folder()).sort()).toEqual(['app', 'link']);
  });

  it.each(['app', './app/', 'app/.'])('moves its folder %s', async subDir => {
    expect(await place(subDir)).toBeNull();
    expect(readdirSync(folder())).toEqual(['index.js']);
  });

  it.each(['link', 'link/inner', '../victim', 'app/index.js', 'none', '/etc'])(
    'moves nothing for %s',
    async subDir => {
      expect(await place(subDir)).toBe(`it has no folder "${subDir}"`);
      expect(existsSync(folder())).toBe(false);
      expect(readdirSync(path.join(root, 'victim'))).toEqual(['inner']);
    },
  );
});
