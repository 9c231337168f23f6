import {
  codeServer,
  findToolsFolder,
  ToolInstaller,
} from '@slipway/managed-tools';
import { askEditorText, Harness, makeReporter } from './__testUtils__/harness';
import { findWorkspaceProcesses } from './processTable';
import { InstallationPaths } from './WorkspacePaths';

const toolsFolder = findToolsFolder();
const installed = new ToolInstaller({ toolsFolder }).find(codeServer);

if (!installed) {
  // eslint-disable-next-line no-console
  console.warn(
    'SKIPPED: code-server is not installed; run yarn ide:install to test against it',
  );
}

describe.skipIf(!installed)('LocalRuntime with code-server', () => {
  it('serves VS Code on a socket and leaves nothing behind', async () => {
    const harness = new Harness();
    try {
      const runtime = harness.runtime({
        editorCommand: undefined,
        managedTool: codeServer,
        toolsFolder,
      });
      const started = await runtime.start(
        harness.spec('workspace-real'),
        makeReporter(),
        new AbortController().signal,
      );

      expect(started.editor).toMatchObject({
        id: 'code-server',
        version: codeServer.version,
      });
      const paths = new InstallationPaths(harness.dataDir);
      const { projects } = paths.of('workspace-real');
      expect(
        await askEditorText(
          started,
          `/?folder=${encodeURIComponent(projects)}`,
        ),
      ).toContain('vscode-workbench-web-configuration');
      await runtime.stop('workspace-real');
      expect(await findWorkspaceProcesses(paths.installation)).toEqual([]);
    } finally {
      await harness.close();
    }
  });
});
