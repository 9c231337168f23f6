import {
  codeServer,
  findToolsFolder,
  ToolInstaller,
} from '@slipway/managed-tools';
import {
  askEditorText,
  Harness,
  RecordingReporter,
} from './__testUtils__/harness';
import { chooseIsolation } from './sandbox/isolation';
import { findWorkspaceProcesses } from './process/processTable';
import { InstallationPaths } from './files/WorkspacePaths';

const toolsFolder = findToolsFolder();
const installed = new ToolInstaller({ toolsFolder }).find(codeServer);

if (!installed) {
  // eslint-disable-next-line no-console
  console.warn(
    'SKIPPED: code-server is not installed; run yarn ide:install to test against it',
  );
}

describe.skipIf(!installed)('LocalRuntime with code-server', () => {
  it.each([
    ['as a plain process', 'none'],
    ['in the sandbox that works here', 'auto'],
  ] as const)(
    'serves VS Code %s and leaves nothing behind',
    async (_, mode) => {
      const probe = new Harness();
      const options = probe.options();
      const isolation = await chooseIsolation(
        {
          ...options,
          toolsFolder,
          isolation: { ...options.isolation, mode },
        },
        { production: false },
      );
      await probe.close();
      const harness = new Harness(isolation);
      try {
        const runtime = harness.runtime({
          editorCommand: undefined,
          managedTool: codeServer,
          toolsFolder,
        });
        const started = await runtime.start(
          harness.spec('workspace-real'),
          new RecordingReporter(),
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
        ).toContain('http://localhost:7010/w/workspace-real--{{port}}/&quot;');
        await runtime.stop('workspace-real');
        expect(await findWorkspaceProcesses(paths.installation)).toEqual([]);
      } finally {
        await harness.close();
      }
    },
  );
});
