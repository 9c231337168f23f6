import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { mockServices } from '@backstage/backend-test-utils';
import { codeServer } from '@slipway/managed-tools';
import { EditorProvider } from './editors';
import { InstallationPaths } from './files/WorkspacePaths';

describe('EditorProvider', () => {
  let root: string;

  beforeEach(() => {
    root = mkdtempSync(path.join(tmpdir(), 'editors-'));
  });

  afterEach(() => rmSync(root, { recursive: true, force: true }));

  function provider(overrides: object = {}) {
    return new EditorProvider({
      managedTool: null,
      toolsFolder: path.join(root, 'tools'),
      path: root,
      logger: mockServices.rootLogger(),
      ...overrides,
    });
  }

  function putOnPath(program: string) {
    writeFileSync(path.join(root, program), '#!/bin/sh\n');
    chmodSync(path.join(root, program), 0o755);
  }

  it('prefers the configured command, then code-server, then openvscode-server', () => {
    putOnPath('openvscode-server');
    expect(provider().availability().editor?.id).toBe('openvscode-server');
    putOnPath('code-server');
    expect(provider().availability().editor?.id).toBe('code-server');
    const editorCommand = { command: ['mine'], title: 'Mine', healthPath: '/' };
    expect(provider({ editorCommand }).availability().editor?.title).toBe(
      'Mine',
    );
  });

  it('prefers the managed code-server to openvscode-server', () => {
    putOnPath('openvscode-server');
    const folder = path.join(root, 'tools/code-server', codeServer.version);
    const entry = path.join(folder, codeServer.entryPoint);
    mkdirSync(path.dirname(entry), { recursive: true });
    writeFileSync(entry, '');
    writeFileSync(
      path.join(folder, 'slipway-tool.json'),
      JSON.stringify({
        version: codeServer.version,
        platform: `${process.platform}-${process.arch}`,
      }),
    );
    expect(provider({ managedTool: codeServer }).availability()).toMatchObject({
      state: 'ready',
      editor: { id: 'code-server', version: codeServer.version },
    });
  });

  it('explains how to install an editor if there is none', async () => {
    const editors = provider();
    expect(editors.availability()).toMatchObject({
      state: 'missing',
      editor: null,
    });
    await expect(
      editors.require(new AbortController().signal, () => {}),
    ).rejects.toThrow('No editor is installed. Run yarn ide:install');
  });

  it('keeps the cause of a failed installation, and reports it to waiting starts', async () => {
    const editors = provider({
      managedTool: { ...codeServer, platforms: [] },
    });
    const wait = editors.require(new AbortController().signal, () => {});
    expect(editors.availability().state).toBe('installing');
    await expect(wait).rejects.toThrow('code-server does not run on');
    expect(editors.availability()).toMatchObject({
      state: 'missing',
      message: expect.stringContaining('code-server does not run on'),
    });
  });

  it('fills the placeholders of a configured command', async () => {
    const editor = await provider({
      editorCommand: {
        command: ['mine', '--listen={socket}', '{folder}', '{other}'],
        title: 'Mine',
        healthPath: '/',
      },
    }).require(new AbortController().signal, () => {});
    const paths = new InstallationPaths(root).of('workspace-x');
    expect(editor.command(paths, '/work')).toEqual([
      'mine',
      `--listen=${paths.socket}`,
      '/work',
      '{other}',
    ]);
  });
});
