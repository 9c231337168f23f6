import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { isWorkspaceId } from './WorkspacePaths';

/** Ids of the workspaces that have a folder. */
export async function findWorkspaceFolders(parent: string): Promise<string[]> {
  const entries = await readdir(parent, { withFileTypes: true });
  return entries
    .filter(entry => entry.isDirectory() && isWorkspaceId(entry.name))
    .map(entry => entry.name);
}

/** Finishes removals that an earlier portal began. */
export async function removeDiscarded(parent: string): Promise<void> {
  const names = await readdir(parent);
  await Promise.all(
    names
      .filter(name => name.startsWith('.discarded-'))
      .map(name =>
        rm(path.join(parent, name), { recursive: true, force: true }),
      ),
  );
}
