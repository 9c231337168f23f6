import { rm, symlink } from 'node:fs/promises';
import path from 'node:path';
import type { InstallStep, ManagedTool } from './ManagedTool.ts';
import {
  downloadStep,
  lockedInstallStep,
  type PinnedPackage,
  unpackStep,
} from './npmSteps.ts';

const PIN: PinnedPackage = {
  name: 'code-server',
  version: '4.139.1',
  integrity:
    'sha512-fUYvJVdz4ZoVJfakGiGWXFMpF8K1ObsrpGvX17ZxNpKOzdNHs7lANT670JTr4ZhA8DnWqyvvmFG/d3HV9Yy6ew==',
};

const PACKAGE = path.join('node_modules', PIN.name);
const VSCODE = path.join(PACKAGE, 'lib', 'vscode');

/**
 * Links the `code-server` command and the browser helper for the editor's terminals, which is the only
 * part of the package's own install script that needs no compiler.
 */
const linkTerminalCommands: InstallStep = {
  id: 'link-terminal-commands',
  title: 'Linking terminal commands',
  weight: 1,
  async run({ folder }) {
    const suffix = process.platform === 'darwin' ? 'darwin' : 'linux';
    const bin = path.join(folder, VSCODE, 'bin');
    const links = [
      [`code-${suffix}.sh`, path.join(bin, 'remote-cli', 'code-server')],
      [`browser-${suffix}.sh`, path.join(bin, 'helpers', 'browser.sh')],
    ];
    for (const [target, link] of links) {
      await rm(link, { force: true });
      await symlink(target, link);
    }
  },
};

/**
 * code-server, VS Code in the browser. Installed without package scripts, and therefore without a
 * compiler or system packages: terminal, file watcher and search are prebuilt binaries. The native
 * log writer and Kerberos are not installed; the editor works without them.
 */
export const codeServer: ManagedTool = {
  name: PIN.name,
  title: 'code-server',
  version: PIN.version,
  platforms: ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'],
  nodeMajor: 24,
  requiredBytes: 1024 ** 3,
  entryPoint: path.join(PACKAGE, 'out', 'node', 'entry.js'),
  steps: [
    downloadStep(PIN, 20),
    unpackStep(PIN, { weight: 40, expectedFetches: 165 }),
    lockedInstallStep({
      id: 'editor-dependencies',
      title: 'Installing the editor',
      weight: 35,
      subfolder: VSCODE,
      expectedFetches: 141,
    }),
    lockedInstallStep({
      id: 'extension-dependencies',
      title: 'Installing the built-in extensions',
      weight: 4,
      subfolder: path.join(VSCODE, 'extensions'),
      expectedFetches: 1,
    }),
    linkTerminalCommands,
  ],
  versionArguments: ['--version'],
};
