import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { lstat, mkdir, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { WorkspacePaths } from '../WorkspacePaths';

const USERS = 65_536;
const runFile = promisify(execFile);

/** A user of this machine, by number. */
export interface WorkspaceUser {
  uid: number;
  gid: number;
}

/**
 * As whom workspaces run. A portal that is root gives each a user number of
 * its own, from a range that belongs to nobody: the kernel counts processes by
 * user and does not count root's. Any other portal has only its own user.
 */
export class WorkspaceUsers {
  readonly #firstUid: number;
  readonly isRoot: boolean;

  constructor(options: { firstUid: number; isRoot?: boolean }) {
    this.#firstUid = options.firstUid;
    this.isRoot = options.isRoot ?? process.getuid?.() === 0;
  }

  /** The user of a workspace; the same at each start. */
  of(workspaceId: string): WorkspaceUser {
    if (!this.isRoot) {
      return { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
    }
    const digest = createHash('sha256').update(workspaceId).digest();
    const id = this.#firstUid + (digest.readUInt32BE() % USERS);
    return { uid: id, gid: id };
  }

  /**
   * Makes a workspace's folders its user's, and writes the files that name
   * that user inside. Nothing of the workspace may run meanwhile.
   */
  async prepare(
    workspaceId: string,
    paths: WorkspacePaths,
    options: { nameserver: string | null },
  ): Promise<void> {
    const { uid, gid } = this.of(workspaceId);
    const shell = existsSync('/bin/bash') ? '/bin/bash' : '/bin/sh';
    await mkdir(paths.sandbox.folder, { recursive: true, mode: 0o755 });
    await writeFile(
      paths.sandbox.passwd,
      `root:x:0:0:root:/root:/usr/sbin/nologin\nworkspace:x:${uid}:${gid}::${paths.home}:${shell}\n`,
      { mode: 0o644 },
    );
    await writeFile(paths.sandbox.group, `root:x:0:\nworkspace:x:${gid}:\n`, {
      mode: 0o644,
    });
    await writeFile(
      paths.sandbox.resolvConf,
      options.nameserver ? `nameserver ${options.nameserver}\n` : '',
      { mode: 0o644 },
    );
    if (this.isRoot) {
      await this.#own(workspaceId, paths);
    }
  }

  async #own(workspaceId: string, paths: WorkspacePaths): Promise<void> {
    const { uid, gid } = this.of(workspaceId);
    const folders = workspaceFolders(paths).filter(existsSync);
    const strangers: string[] = [];
    for (const folder of folders) {
      if ((await lstat(folder)).uid !== uid) {
        strangers.push(folder);
      }
    }
    if (strangers.length > 0) {
      // -h and -P: a link is owned, and never followed.
      await runFile('chown', ['-R', '-h', '-P', `${uid}:${gid}`, ...strangers]);
    }
  }
}

/** The folders of a workspace that its own processes write. */
export function workspaceFolders(paths: WorkspacePaths): string[] {
  const { home, projects, userData, extensions, incoming, tmp, run } = paths;
  return [home, projects, userData, extensions, incoming, tmp, run];
}
