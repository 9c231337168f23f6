import { readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { isWorkspaceId } from './WorkspacePaths';

/** Ids of the workspaces that have a folder. */
export async function findWorkspaceFolders(parent: string): Promise<string[]> {
  const entries = await readdir(parent, { withFileTypes: true });
  return entries
    .filter(entry => entry.isDirectory() && isWorkspaceId(entry.name))
    .map(entry => entry.name);
}

const DISCARDED = '.discarded-';

/** Removes the folder of a workspace, if there is one. Renamed first: a removal that is cut short leaves no half workspace. */
export async function discardFolder(parent: string, id: string): Promise<void> {
  const discarded = path.join(parent, `${DISCARDED}${id}`);
  await rm(discarded, { recursive: true, force: true });
  await rename(path.join(parent, id), discarded).catch(error => {
    if (error.code !== 'ENOENT') {
      throw error;
    }
  });
  await rm(discarded, { recursive: true, force: true, maxRetries: 3 });
}

/** Finishes removals that an earlier portal began. */
export async function removeDiscarded(parent: string): Promise<void> {
  const names = await readdir(parent);
  await Promise.all(
    names
      .filter(name => name.startsWith(DISCARDED))
      .map(name =>
        rm(path.join(parent, name), { recursive: true, force: true }),
      ),
  );
}
