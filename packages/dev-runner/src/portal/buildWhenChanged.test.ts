import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buildWhenChanged, replaceBuild } from './buildWhenChanged.ts';

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

  it('passes on other errors of the file system', () => {
    const dist = path.join(root, 'dist');
    writeFileSync(dist, 'a file');

    expect(() => replaceBuild(make('first'), dist)).toThrow('ENOTDIR');
  });
});

describe('buildWhenChanged', () => {
  let root: string;

  beforeEach(() => {
    root = mkdtempSync(path.join(tmpdir(), 'build-when-changed-'));
    write('package.json', '{ "workspaces": ["packages/*"] }');
    write(
      'packages/app/package.json',
      '{ "name": "app", "backstage": { "role": "frontend" }, "dependencies": { "pages": "*" } }',
    );
    write('packages/pages/package.json', '{ "name": "pages" }');
    write('packages/other/package.json', '{ "name": "other" }');
    write('tools/pack/main.ts', '');
    for (const file of ['yarn.lock', 'app-config.yaml', 'tsconfig.json']) {
      write(file, '');
    }
  });

  afterEach(() => rmSync(root, { recursive: true }));

  function write(file: string, content: string): void {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), content);
  }

  /** Works like a bundler: deletes the previous files first. */
  async function makeDist(
    folder = path.join(root, 'packages/app'),
    content = '<html>',
  ): Promise<void> {
    const dist = path.join(folder, 'dist');
    rmSync(dist, { recursive: true, force: true });
    mkdirSync(dist);
    writeFileSync(path.join(dist, 'index.html'), content);
  }

  function build(make: (folder: string) => Promise<void> = makeDist) {
    return buildWhenChanged({
      root,
      packageName: 'app',
      folder: 'packages/app',
      tools: 'tools/pack',
      build: make,
    });
  }

  function page(): string {
    return readFileSync(
      path.join(root, 'packages/app/dist/index.html'),
      'utf8',
    );
  }

  it('builds once for the same sources', async () => {
    expect(await build()).toBe(true);
    expect(await build()).toBe(false);
  });

  it.each([
    ['a source of its own', 'packages/app/src/index.tsx'],
    ['a source that it depends on', 'packages/pages/src/deep/Page.css'],
    ['the versions of what is installed', 'yarn.lock'],
    ['the configuration', 'app-config.yaml'],
    ['what joins the built files', 'tools/pack/main.ts'],
  ])('rebuilds after a change of %s', async (_case, file) => {
    await build();
    write(file, 'changed');

    expect(await build()).toBe(true);
  });

  it.each([
    ['a test', 'packages/app/src/Page.test.tsx'],
    ['a page for people', 'packages/pages/README.md'],
    ['a package that it has nothing of', 'packages/other/src/index.ts'],
  ])('does not build after a change of %s', async (_case, file) => {
    await build();
    write(file, 'changed');

    expect(await build()).toBe(false);
  });

  it('keeps the existing build until the next one is complete', async () => {
    await build();
    write('packages/app/src/index.tsx', 'changed');
    await build(async folder => {
      rmSync(path.join(folder, 'dist'), { recursive: true, force: true });
      expect(page()).toBe('<html>');
      expect(readFileSync(path.join(folder, 'src/index.tsx'), 'utf8')).toBe(
        'changed',
      );
      await makeDist(folder, '<html lang="en">');
      expect(page()).toBe('<html>');
    });

    expect(page()).toBe('<html lang="en">');
    expect(readdirSync(path.join(root, 'packages/app')).sort()).toEqual([
      'dist',
      'package.json',
      'src',
    ]);
  });

  it('keeps the existing build if the next one fails', async () => {
    await build();
    write('packages/app/src/index.tsx', 'broken');

    await expect(
      build(async folder => {
        await makeDist(folder, 'half of it');
        throw new Error('cut');
      }),
    ).rejects.toThrow('cut');
    expect(page()).toBe('<html>');
    expect(await build()).toBe(true);
  });

  it('removes leftovers of a killed build', async () => {
    const { pid = 0 } = spawnSync('true');
    write(`packages/app/.build-${pid}/dist/index.html`, 'half of it');
    await build();

    expect(existsSync(path.join(root, `packages/app/.build-${pid}`))).toBe(
      false,
    );
  });

  it('does not mistake leftovers of another build for its own', async () => {
    await build();
    await makeDist();

    expect(await build()).toBe(true);
  });
});
