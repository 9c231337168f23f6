import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { makeDevfile } from '../../../__testUtils__/devfile';
import { DevfileProject } from '../../../devfile/types';
import { GitServer } from '../__testUtils__/gitServer';
import {
  askEditor,
  Harness,
  RecordingReporter,
} from '../__testUtils__/harness';
import { zipArchive } from '../__testUtils__/zipArchive';
import { InstallationPaths } from '../files/WorkspacePaths';

const ID = 'workspace-projects';
const never = new AbortController().signal;

describe('projects of a workspace', () => {
  let harness: Harness;
  let server: GitServer;

  beforeEach(async () => {
    harness = new Harness();
    server = await GitServer.start();
  });

  afterEach(async () => {
    await harness.close();
    await server.stop();
  });

  function project(name: string, url: string): DevfileProject {
    return {
      name,
      type: 'git',
      clonePath: null,
      remote: { name: 'origin', url },
      otherRemotes: [],
      revision: null,
    };
  }

  it('clones a project once, and opens it', async () => {
    const runtime = harness.runtime({ caFile: server.caFile });
    const devfile = makeDevfile({ projects: [project('demo', server.url)] });
    const reporter = new RecordingReporter();
    const started = await runtime.start(
      harness.spec(ID, devfile),
      reporter,
      never,
    );
    const { projects } = new InstallationPaths(harness.dataDir).of(ID);
    const folder = path.join(projects, 'demo');

    expect([...reporter.steps.keys()]).toEqual(['project:demo', 'ide']);
    expect(readFileSync(path.join(folder, 'README.md'), 'utf8')).toBe(
      'first\n',
    );
    expect((await askEditor<string[]>(started, '/arguments')).at(-1)).toBe(
      folder,
    );

    await runtime.stop(ID);
    rmSync(folder, { recursive: true });
    const again = new RecordingReporter();
    await runtime.start(harness.spec(ID, devfile), again, never);
    expect([...again.steps.keys()]).toEqual(['ide']);
    expect(existsSync(folder)).toBe(false);
  });

  it('replaces the list of fetched projects as a whole', async () => {
    const runtime = harness.runtime({ caFile: server.caFile });
    const start = (...names: string[]) =>
      runtime.start(
        harness.spec(
          ID,
          makeDevfile({
            projects: names.map(name => project(name, server.url)),
          }),
        ),
        new RecordingReporter(),
        never,
      );
    await start('demo');
    const { projectState } = new InstallationPaths(harness.dataDir).of(ID);
    const before = openSync(projectState, 'r');
    await runtime.stop(ID);
    await start('demo', 'other');

    // The list that a portal would read after being killed while writing it.
    expect(readFileSync(before, 'utf8')).toBe('["demo"]');
    expect(readFileSync(projectState, 'utf8')).toBe('["demo","other"]');
    closeSync(before);
  });

  it('unpacks archives, and only the named folder of a starter project', async () => {
    const archive = await zipArchive({
      'shop-main/README.md': 'Shop\n',
      'shop-main/app/index.js': 'run()\n',
    });
    harness.archives.archives.set('https://files.example.org/s.zip', archive);
    const zip = {
      type: 'zip' as const,
      clonePath: null,
      location: 'https://files.example.org/s.zip',
    };
    const devfile = makeDevfile({
      projects: [
        { ...zip, name: 'shop', clonePath: 'code/shop' },
        { ...zip, name: 'app', subDir: 'app' },
        { ...zip, name: 'odd', subDir: 'none' },
        { ...zip, name: 'gone', location: 'https://files.example.org/gone' },
        { ...project('part', server.url), subDir: 'docs' },
      ],
    });
    const reporter = new RecordingReporter();
    await harness
      .runtime({ caFile: server.caFile })
      .start(harness.spec(ID, devfile), reporter, never);

    const { projects, incoming } = new InstallationPaths(harness.dataDir).of(
      ID,
    );
    expect(readdirSync(projects).sort()).toEqual(['app', 'code']);
    expect(readdirSync(path.join(projects, 'app'))).toEqual(['index.js']);
    expect(
      readFileSync(path.join(projects, 'code/shop/README.md'), 'utf8'),
    ).toBe('Shop\n');
    expect(readdirSync(incoming)).toEqual([]);
    expect(reporter.steps.get('project:shop')?.state).toBe('done');
    expect(reporter.warnings).toEqual([
      'Project "odd" was not fetched: it has no folder "none"',
      'Project "gone" was not fetched: https://files.example.org/gone answered 404',
      'Project "part" was not fetched: it has no folder "docs"',
    ]);
  });

  it('clones neither through a link out of the projects folder nor below a file', async () => {
    const { projects } = new InstallationPaths(harness.dataDir).of(ID);
    const outside = path.join(harness.dataDir, 'outside');
    mkdirSync(outside);
    mkdirSync(projects, { recursive: true });
    symlinkSync(outside, path.join(projects, 'link'));
    writeFileSync(path.join(projects, 'file'), '');
    const runtime = harness.runtime({ caFile: server.caFile });
    const devfile = makeDevfile({
      projects: [
        { ...project('sly', server.url), clonePath: 'link/sly' },
        { ...project('odd', server.url), clonePath: 'file/odd' },
      ],
    });
    const reporter = new RecordingReporter();
    await runtime.start(harness.spec(ID, devfile), reporter, never);

    expect(reporter.warnings).toEqual([
      'Project "sly" was not fetched: its clonePath leads through a link out of the projects folder',
      'Project "odd" was not fetched: its folder cannot be created (EEXIST)',
    ]);
    expect(readdirSync(outside)).toEqual([]);
  });

  it('starts without a project that cannot be cloned, and reports why', async () => {
    const runtime = harness.runtime({ caFile: server.caFile });
    const devfile = makeDevfile({
      projects: [
        project('secret', 'file:///etc'),
        project('gone', server.url.replace('demo.git', 'gone.git')),
        project('demo', server.url),
      ],
    });
    const reporter = new RecordingReporter();
    await runtime.start(harness.spec(ID, devfile), reporter, never);

    expect(reporter.steps.get('project:secret')?.state).toBe('warning');
    expect(reporter.steps.get('project:gone')?.message).toMatch(
      /gone\.git.*not found/,
    );
    expect(reporter.steps.get('project:demo')?.state).toBe('done');
    expect(reporter.warnings[0]).toBe(
      'Project "secret" was not fetched: only https addresses are supported, not file',
    );
  });
});
