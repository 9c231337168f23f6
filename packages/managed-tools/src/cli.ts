/* eslint-disable no-console */
import { chdb } from './chdb.ts';
import { codeServer } from './codeServer.ts';
import type { InstallProgress, ManagedTool } from './ManagedTool.ts';
import { ToolInstaller } from './ToolInstaller.ts';
import { ToolInstallError } from './ToolInstallError.ts';
import { findToolsFolder } from './toolsFolder.ts';

const TOOLS: Record<string, ManagedTool> = {
  [codeServer.name]: codeServer,
  [chdb.name]: chdb,
};

async function main(name: string | undefined): Promise<number> {
  const tool = name ? TOOLS[name] : undefined;
  if (!tool) {
    console.error(`Name one of: ${Object.keys(TOOLS).join(', ')}`);
    return 2;
  }
  const abort = new AbortController();
  process.once('SIGINT', () => abort.abort());
  process.once('SIGTERM', () => abort.abort());

  const show = progressLine();
  try {
    const installed = await new ToolInstaller({
      toolsFolder: findToolsFolder(),
    }).install(tool, { signal: abort.signal, onProgress: show });
    show.end();
    console.log(`${tool.title} ${installed.version} is in ${installed.folder}`);
    return 0;
  } catch (error) {
    show.end();
    console.error(
      error instanceof ToolInstallError ? error.message : String(error),
    );
    return 1;
  }
}

/**
 * Creates a progress display: a line that is rewritten on a terminal, otherwise a line per step.
 */
function progressLine() {
  let last = '';
  const show = ({ fraction, message }: InstallProgress) => {
    if (process.stdout.isTTY) {
      const percent = `${Math.floor(fraction * 100)}`.padStart(3);
      process.stdout.write(`\r\x1b[K${percent}%  ${message}`);
    } else if (message !== last) {
      console.log(message);
    }
    last = message;
  };
  show.end = () => {
    if (process.stdout.isTTY && last) {
      process.stdout.write('\r\x1b[K');
    }
  };
  return show;
}

main(process.argv[2]).then(code => {
  process.exitCode = code;
});
