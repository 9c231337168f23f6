import { IdeTarget } from '../runtimes/WorkspaceRuntime';

/** The way into a workspace's IDE, open while it runs. */
export interface IdeDoor {
  open(workspaceId: string, target: IdeTarget): void;
  /** Revokes every ticket and session and ends every connection. */
  close(workspaceId: string): Promise<void>;
}
