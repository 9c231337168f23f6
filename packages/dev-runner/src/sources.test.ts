import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { workspaceClosure } from './sources.ts';

describe('workspaceClosure', () => {
  let root: string;

  beforeEach(() => {
    root = mkdtempSync(path.join(tmpdir(), 'dev-runner-'));
    writeManifest('.', { workspaces: ['packages/*', 'plugins/*'] });
    writeManifest('packages/backend', {
      name: '@slipway/backend',
      dependencies: { '@slipway/app': '*', '@slipway/jobs': '*', express: '4' },
    });
    writeManifest('packages/app', {
      name: '@slipway/app',
      backstage: { role: 'frontend' },
    });
    writeManifest('plugins/jobs', {
      name: '@slipway/jobs',
      dependencies: { '@slipway/jobs-common': '*', '@slipway/backend': '*' },
    });
    writeManifest('plugins/jobs-common', { name: '@slipway/jobs-common' });
    writeManifest('plugins/unrelated', { name: '@slipway/unrelated' });
  });

  afterEach(() => rmSync(root, { recursive: true }));

  function writeManifest(folder: string, manifest: object): void {
    mkdirSync(path.join(root, folder), { recursive: true });
    writeFileSync(
      path.join(root, folder, 'package.json'),
      JSON.stringify(manifest),
    );
  }

  it('follows dependencies within the repository, including cycles, but not the frontend', () => {
    const folders = workspaceClosure(root, '@slipway/backend');

    expect(folders.map(folder => path.relative(root, folder))).toEqual([
      'packages/backend',
      'plugins/jobs',
      'plugins/jobs-common',
    ]);
  });

  it('follows a frontend that is requested directly', () => {
    writeManifest('packages/app', {
      name: '@slipway/app',
      backstage: { role: 'frontend' },
      dependencies: { '@slipway/jobs-common': '*' },
    });

    const folders = workspaceClosure(root, '@slipway/app');

    expect(folders.map(folder => path.relative(root, folder))).toEqual([
      'packages/app',
      'plugins/jobs-common',
    ]);
  });
});
