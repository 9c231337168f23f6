import path from 'node:path';
import { findEditorProcess } from '@slipway/e2e/src/workspaceProcesses.ts';
import { BenchPortal } from './BenchPortal.ts';
import { HandStarter } from './HandStarter.ts';

/** The systems that are compared. */
export interface Bench {
  portal: BenchPortal;
  byHand: HandStarter;
  /** Ends every process; the caller deletes the files. */
  close(): Promise<void>;
}

/**
 * Starts the backend, and creates a first workspace to learn the command line of its editor.
 */
export async function openBench(directory: string): Promise<Bench> {
  const portal = await BenchPortal.start(directory);
  const { api, caFile, dataDirectory, devfileUrl, repository } = portal;
  const { workspaceId } = await api.create({ devfileUrl });
  // This is also a warm-up, because the first start reads the editor from disk.
  await api.until(workspaceId, 'Running', 120_000);
  const editor = findEditorProcess({ dataDirectory, workspaceId });
  if (!editor) {
    await portal.stop();
    throw new Error(
      'The editor was not found in /proc; this benchmark needs Linux and code-server',
    );
  }
  const byHand = new HandStarter({
    directory,
    editor,
    root: path.join(dataDirectory, 'workspaces', workspaceId),
    repository,
    caFile,
  });
  await api.delete(workspaceId);
  return {
    portal,
    byHand,
    async close() {
      byHand.endAll();
      await portal.stop();
    },
  };
}
