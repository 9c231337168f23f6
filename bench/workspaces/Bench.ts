import path from 'node:path';
import { findEditorProcess } from '@slipway/e2e/src/workspaceProcesses.ts';
import { BenchPortal } from './BenchPortal.ts';
import { HandStarter } from './HandStarter.ts';

/** What the measurements work with. */
export interface Bench {
  portal: BenchPortal;
  byHand: HandStarter;
  /** Ends every process; the files are the caller's. */
  close(): Promise<void>;
}

/** Starts the back end and learns from a first workspace how it starts editors. */
export async function openBench(directory: string): Promise<Bench> {
  const portal = await BenchPortal.start(directory);
  const { api, caFile, dataDirectory, devfileUrl, repository } = portal;
  const { workspaceId } = await api.create({ devfileUrl });
  // Also a warm-up: the first start reads the editor from the disk.
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
