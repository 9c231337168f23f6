import { LoggerService } from '@backstage/backend-plugin-api';
import { stringifyError } from '@backstage/errors';
import { StartRecorder } from './StartRecorder';
import { Workspace } from './Workspace';
import { WorkspaceEvents } from './WorkspaceEvents';
import { WorkspaceStore } from './storage/WorkspaceStore';

/** What {@link StartRecorders} work with. */
interface StartRecordersOptions {
  store: WorkspaceStore;
  events: WorkspaceEvents;
  logger: LoggerService;
  now?: () => Date;
}

/**
 * The recorder of each workspace's latest start, which outlives the start: the
 * commands of postStart report while the workspace runs.
 */
export class StartRecorders {
  readonly #options: StartRecordersOptions;
  readonly #open = new Map<string, StartRecorder>();

  constructor(options: StartRecordersOptions) {
    this.#options = options;
  }

  /** Opens the recorder of a new start; an older start's writes nothing from here on. */
  async open(workspace: Workspace): Promise<StartRecorder> {
    const { events, logger, now, store } = this.#options;
    await this.close(workspace.id);
    const recorder = new StartRecorder({
      now,
      warnings: workspace.warnings,
      sink: {
        async save({ change, lines }) {
          try {
            if (change) {
              await store.update(workspace.id, change);
            }
            await store.appendLog(workspace.id, lines);
          } catch (error) {
            // The log is not worth a start; a deleted workspace has none to write to.
            logger.debug(`Could not record a start: ${stringifyError(error)}`);
          }
          events.publish(workspace.owner, {
            type: change ? 'changed' : 'log',
            workspaceId: workspace.id,
          });
        },
      },
    });
    this.#open.set(workspace.id, recorder);
    return recorder;
  }

  /** Saves what a workspace's recorder still holds, and ends it. */
  async close(id: string): Promise<void> {
    const recorder = this.#open.get(id);
    this.#open.delete(id);
    await recorder?.close();
  }

  async closeAll(): Promise<void> {
    await Promise.all([...this.#open.keys()].map(id => this.close(id)));
  }
}
