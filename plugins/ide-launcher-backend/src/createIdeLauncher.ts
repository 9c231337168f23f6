import {
  AuthService,
  DatabaseService,
  LoggerService,
  RootConfigService,
  UrlReaderService,
} from '@backstage/backend-plugin-api';
import { ServiceUnavailableError } from '@backstage/errors';
import { NotificationService } from '@backstage/plugin-notifications-node';
import { SignalsService } from '@backstage/plugin-signals-node';
import { IdeLauncherConfig } from './config';
import { DevfileLoader, DevfileReader } from './devfile';
import { IdeGrantStore } from './ide-gateway/storage/IdeGrantStore';
import { GatewayDoor } from './ide-gateway/GatewayDoor';
import { IdeAccessService } from './ide-gateway/IdeAccessService';
import { IdeGateway } from './ide-gateway/IdeGateway';
import { IdeTargets } from './ide-gateway/IdeTargets';
import { PortalIdentity } from './ide-gateway/BrowserSessions';
import { WorkspaceRuntime } from './runtimes/WorkspaceRuntime';
import { WorkspaceStore } from './workspaces/storage/WorkspaceStore';
import { IdleMonitor } from './workspaces/expiry';
import { reconcileWorkspaces } from './workspaces/reconcileWorkspaces';
import { UnusedMonitor } from './workspaces/expiry';
import { SignalWorkspaceEvents } from './workspaces/WorkspaceEvents';
import { WorkspaceLifecycle } from './workspaces/WorkspaceLifecycle';
import { WorkspaceNotifications } from './workspaces/WorkspaceNotifications';
import { WorkspacePresenter } from './workspaces/presentation';
import { WorkspaceService } from './workspaces/WorkspaceService';

/** The assembled plugin, without its HTTP routes. */
interface IdeLauncher {
  service: WorkspaceService;
  /** Makes records true and opens the gateway. */
  start(): Promise<void>;
  /** Stops what is idle and forgets what has expired; called every few seconds. */
  housekeeping(): Promise<void>;
  /** Writes to the database, to see whether that works. */
  write(): Promise<void>;
  stop(): Promise<void>;
}

/** Puts the parts of the plugin together. */
export async function createIdeLauncher(deps: {
  auth: AuthService;
  config: RootConfigService;
  database: DatabaseService;
  logger: LoggerService;
  notifications: NotificationService;
  options: IdeLauncherConfig;
  runtime: WorkspaceRuntime;
  signals: SignalsService;
  urlReader: UrlReaderService;
}): Promise<IdeLauncher> {
  const { auth, config, database, logger, options, runtime } = deps;
  const { addresses, idleTimeoutMinutes, limits, samples } = options;

  const store = await WorkspaceStore.create({ database });
  const grants = new IdeGrantStore(await database.getClient());
  const access = new IdeAccessService({ grants, addresses });
  const targets = new IdeTargets({ store, runtime });
  const door = new GatewayDoor({ access, targets });
  const events = new SignalWorkspaceEvents({ signals: deps.signals, logger });
  const notifications = new WorkspaceNotifications({
    notifications: deps.notifications,
    logger,
  });
  const lifecycle = new WorkspaceLifecycle({
    store,
    runtime,
    events,
    outcomes: notifications,
    door,
    logger,
  });
  const idle = new IdleMonitor({
    store,
    lifecycle,
    logger,
    idleTimeoutMinutes,
  });
  const unused = new UnusedMonitor({
    store,
    lifecycle,
    notices: notifications,
    logger,
    rules: options.cleanUp,
  });
  const service = new WorkspaceService({
    store,
    lifecycle,
    presenter: new WorkspacePresenter({
      addresses,
      runtime,
      idleTimeoutMinutes,
      cleanUp: options.cleanUp,
    }),
    devfiles: new DevfileLoader({
      reader: DevfileReader.fromConfig(config, {
        urlReader: deps.urlReader,
        logger,
      }),
    }),
    runtime,
    access,
    events,
    limits,
    samples,
    idleTimeoutMinutes,
    acceptUnisolated: options.acceptUnisolated,
    adminGroups: options.adminGroups,
  });
  const gateway = new IdeGateway({
    addresses,
    access,
    identity: new PortalIdentity({ auth }),
    targets,
    ownerOf: async id => (await store.get(id))?.owner,
    onUse: id => idle.used(id),
    portalUrl: options.portalUrl,
    logger,
  });

  let reconciled = false;
  const reconcile = async () => {
    await reconcileWorkspaces({ store, runtime, lifecycle, logger });
    reconciled = true;
  };

  return {
    service,
    async start() {
      await reconcile().catch(error => {
        if (!(error instanceof ServiceUnavailableError)) {
          throw error;
        }
        // The portal is of use without the place where workspaces run; it looks again.
        logger.warn(`Workspaces cannot be looked for: ${error.message}`);
      });
      await gateway.listen(options.listen);
      runtime.prepare();
    },
    async housekeeping() {
      if (!reconciled) {
        await reconcile().catch(error => {
          logger.debug(`Workspaces cannot be looked for: ${error.message}`);
        });
      }
      await idle.check();
      await unused.check();
      await access.cleanUp();
      await gateway.recheckSockets();
      await lifecycle.finishStops();
      await lifecycle.finishDeletions();
    },
    write: () => store.tryWrite(),
    async stop() {
      await gateway.close();
      try {
        await idle.flush();
      } finally {
        // Whatever could not be written: what runs must not be left behind.
        await lifecycle.shutdown({ stopWorkspaces: options.stopOnShutdown });
      }
    },
  };
}
