import { IdeTarget } from '../runtimes/WorkspaceRuntime';
import { IdeDoor } from '../workspaces/IdeDoor';
import { IdeAccessService } from './IdeAccessService';
import { IdeTargets } from './IdeTargets';

/** Opens and closes the gateway's way into a workspace as it starts and stops. */
export class GatewayDoor implements IdeDoor {
  readonly #access: IdeAccessService;
  readonly #targets: IdeTargets;

  constructor(options: { access: IdeAccessService; targets: IdeTargets }) {
    this.#access = options.access;
    this.#targets = options.targets;
  }

  open(workspaceId: string, target: IdeTarget): void {
    this.#targets.set(workspaceId, target);
  }

  async close(workspaceId: string): Promise<void> {
    this.#targets.delete(workspaceId);
    await this.#access.revoke(workspaceId);
  }
}
