import { EventEmitter, once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { BuiltSite } from './BuiltSite';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), 'design-site-'));
  await writeFile(path.join(root, 'source.tsx'), 'first');
});
afterEach(() => rm(root, { recursive: true, force: true }));

/** Creates a site with one page, which counts its builds. */
async function openSite() {
  const builds: string[] = [];
  const layout = {
    directory: path.join(root, 'dist'),
    sources: [path.join(root, 'source.tsx')],
    buildInto: async (directory: string) => {
      builds.push(directory);
      await writeFile(path.join(directory, 'index.html'), 'the site');
    },
  };
  return { site: await BuiltSite.open(layout), layout, builds };
}

describe('BuiltSite', () => {
  it('is built if missing, and rebuilt only after a change', async () => {
    const { site, layout, builds } = await openSite();
    expect(site.isBuilt).toBe(false);

    await site.buildWhenStale();
    expect(site.isBuilt).toBe(true);
    const reopened = await BuiltSite.open(layout);
    await reopened.buildWhenStale();
    expect(builds).toHaveLength(1);

    await writeFile(path.join(root, 'source.tsx'), 'second');
    await reopened.buildWhenStale();
    expect(builds).toHaveLength(2);
  });

  it('keeps the previous build when a build fails', async () => {
    const { site, layout } = await openSite();
    await site.build();
    const broken = await BuiltSite.open({
      ...layout,
      buildInto: async () => {
        throw new Error('A story does not compile');
      },
    });

    await expect(broken.build()).rejects.toThrow('A story does not compile');
    expect(broken.find('/')).toBe('index.html');
    expect((await BuiltSite.open(layout)).isBuilt).toBe(true);
  });

  it('replaces the build of another process, which then serves the new one', async () => {
    const { site, layout } = await openSite();
    await site.build();
    const steps = new EventEmitter();
    const started = once(steps, 'started');
    const rest = once(steps, 'rest');
    const slow = await BuiltSite.open({
      ...layout,
      buildInto: async directory => {
        await writeFile(path.join(directory, 'index.html'), 'slow');
        steps.emit('started');
        await rest;
        await writeFile(path.join(directory, 'new.html'), 'slow');
      },
    });

    const building = slow.build();
    await started;
    await site.build();
    expect(site.find('/')).toBe('index.html');
    steps.emit('rest');
    await building;
    await site.refresh();

    expect(site.find('/new.html')).toBe('new.html');
    expect(await readdir(root)).toEqual(['dist', 'source.tsx']);
  });

  it('serves the previous build if one of two builds fails', async () => {
    const { site, layout } = await openSite();
    await site.build();
    const broken = await BuiltSite.open({
      ...layout,
      buildInto: async directory => {
        await site.build();
        await readdir(directory);
        throw new Error('A story does not compile');
      },
    });

    await expect(broken.build()).rejects.toThrow('A story does not compile');
    expect((await BuiltSite.open(layout)).isBuilt).toBe(true);
  });

  it('serves only files that the build wrote', async () => {
    const { site } = await openSite();
    await site.build();

    expect(site.find('/index.html')).toBe('index.html');
    expect(site.find('/../source.tsx')).toBeUndefined();
    expect(site.find('/story/button')).toBeUndefined();
  });
});
