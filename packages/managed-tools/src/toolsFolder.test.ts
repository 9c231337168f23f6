import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findToolsFolder } from './toolsFolder.ts';

describe('findToolsFolder', () => {
  const root = mkdtempSync(path.join(tmpdir(), 'root-'));
  const inside = path.join(root, 'packages/backend');

  beforeAll(() => {
    mkdirSync(inside, { recursive: true });
    writeFileSync(
      path.join(root, 'package.json'),
      '{"workspaces":["packages/*"]}',
    );
    writeFileSync(path.join(inside, 'package.json'), '{"name":"backend"}');
  });

  afterAll(() => rmSync(root, { recursive: true }));

  it('walks up to the workspace root', () => {
    expect(findToolsFolder({ from: inside, env: {} })).toBe(
      path.join(root, '.tools'),
    );
  });

  it('prefers the configured directory, then the environment', () => {
    const env = { SLIPWAY_TOOLS_DIR: '/opt/tools' };
    expect(findToolsFolder({ from: inside, env })).toBe('/opt/tools');
    expect(findToolsFolder({ configured: '/srv', from: inside, env })).toBe(
      '/srv',
    );
  });
});
