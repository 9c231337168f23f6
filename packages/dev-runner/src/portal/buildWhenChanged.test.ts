import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buildWhenChanged } from './buildWhenChanged.ts';

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
    for (const file of ['yarn.lock', 'app-config.yaml', 'tsconfig.json']) {
      write(file, '');
    }
  });

  afterEach(() => rmSync(root, { recursive: true }));

  function write(file: string, content: string): void {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), content);
  }

  /** As a bundler does: what was there goes first. */
  async function makeDist(): Promise<void> {
    rmSync(path.join(root, 'packages/app/dist'), {
      recursive: true,
      force: true,
    });
    write('packages/app/dist/index.html', '<html>');
  }

  function build(make = makeDist) {
    return buildWhenChanged({
      root,
      packageName: 'app',
      folder: 'packages/app',
      build: make,
    });
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
  ])('builds anew after a change of %s', async (_case, file) => {
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

  it('does not take what a build that failed has left for a build', async () => {
    await build();
    write('packages/app/src/index.tsx', 'broken');

    await expect(
      build(async () => {
        throw new Error('cut');
      }),
    ).rejects.toThrow('cut');
    write('packages/app/src/index.tsx', '');
    rmSync(path.join(root, 'packages/app/src'), { recursive: true });

    // The sources are those of the first build again, its dist may be half gone.
    expect(await build()).toBe(true);
    expect(existsSync(path.join(root, 'packages/app/dist/index.html'))).toBe(
      true,
    );
  });

  it('does not take what another build has left for its own', async () => {
    await build();
    await makeDist();

    expect(await build()).toBe(true);
  });
});
