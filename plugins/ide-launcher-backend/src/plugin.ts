import {
  coreServices,
  createBackendPlugin,
  LoggerService,
  resolvePackagePath,
} from '@backstage/backend-plugin-api';
import { Config } from '@backstage/config';
import { ServiceUnavailableError } from '@backstage/errors';
import { catalogServiceRef } from '@backstage/plugin-catalog-node';
import { notificationService } from '@backstage/plugin-notifications-node';
import { signalsServiceRef } from '@backstage/plugin-signals-node';
import {
  ideLauncherPermissions,
  workspaceReadPermission,
} from '@slipway/plugin-ide-launcher-common';
import {
  createAdministrationRouter,
  createEntityRouter,
  readinessRef,
  rolesOf,
  serveOpenApi,
} from '@slipway/portal-kit';
import { readIdeLauncherConfig, RuntimeKind } from './config';
import {
  DevfileLoader,
  DevfileReader,
  RepositoryLoader,
  RepositoryReader,
} from './devfile';
import { PortalIdentity } from './ide-gateway/BrowserSessions';
import { workspacesPart } from './entities/workspacesPart';
import { IdeAccessService } from './ide-gateway/IdeAccessService';
import { IdeGateway } from './ide-gateway/IdeGateway';
import { IdeAddresses, IdeTargets } from './ide-gateway/ideRoutes';
import { IdeGrantStore } from './ide-gateway/storage/IdeGrantStore';
import { raceAbort, settleAll } from './queues';
import { createKubernetesRuntime } from './runtimes/kubernetes/KubernetesRuntime';
import { createLocalRuntime } from './runtimes/local/LocalRuntime';
import {
  WorkspaceRuntime,
  workspaceRuntimeExtensionPoint,
} from './runtimes/WorkspaceRuntime';
import {
  notifyOwners,
  signalPages,
  WorkspaceEvents,
} from './workspaces/WorkspaceEvents';
import { IdleMonitor, UnusedMonitor } from './workspaces/expiry';
import { reconcileWorkspaces } from './workspaces/reconcileWorkspaces';
import { createWorkspaceRoutes } from './workspaces/routes';
import { authorInCatalog } from './workspaces/runStart';
import { WorkspaceImports } from './workspaces/WorkspaceImports';
import { WorkspaceStore } from './workspaces/storage/WorkspaceStore';
import { WorkspaceLifecycle } from './workspaces/WorkspaceLifecycle';
import { WorkspaceService } from './workspaces/WorkspaceService';

const HOUSEKEEPING_INTERVAL = { seconds: 15 };

/** Time limit for work in progress at shutdown, in milliseconds; longer than stopping a workspace takes. */
const SHUTDOWN_TIMEOUT_MS = 6_000;

/** Creates the runtime selected in the configuration. */
const CREATE_RUNTIME: Record<
  RuntimeKind,
  (options: {
    config: Config;
    logger: LoggerService;
    addresses: IdeAddresses;
  }) => WorkspaceRuntime | Promise<WorkspaceRuntime>
> = {
  kubernetes: createKubernetesRuntime,
  local: createLocalRuntime,
};

/** Provides IDE workspaces from devfiles: the portal API, the runtime and the IDE gateway. */
export const ideLauncherPlugin = createBackendPlugin({
  pluginId: 'ide-launcher',
  register(env) {
    let chosenRuntime: WorkspaceRuntime | undefined;
    env.registerExtensionPoint(workspaceRuntimeExtensionPoint, {
      setRuntime(chosen) {
        if (chosenRuntime) {
          throw new Error('A workspace runtime has been set already');
        }
        chosenRuntime = chosen;
      },
    });
    env.registerInit({
      deps: {
        auth: coreServices.auth,
        catalog: catalogServiceRef,
        config: coreServices.rootConfig,
        database: coreServices.database,
        httpAuth: coreServices.httpAuth,
        httpRouter: coreServices.httpRouter,
        lifecycle: coreServices.lifecycle,
        logger: coreServices.logger,
        notifications: notificationService,
        permissions: coreServices.permissions,
        permissionsRegistry: coreServices.permissionsRegistry,
        readiness: readinessRef,
        scheduler: coreServices.scheduler,
        signals: signalsServiceRef,
        urlReader: coreServices.urlReader,
        userInfo: coreServices.userInfo,
      },
      async init(deps) {
        const { auth, config, database, httpAuth, logger, permissions } = deps;
        const options = readIdeLauncherConfig(config);
        const { addresses, idleTimeoutMinutes } = options;
        const store = await WorkspaceStore.create({ database });
        const runtime =
          chosenRuntime ??
          (await CREATE_RUNTIME[options.runtime]({
            config,
            logger,
            addresses,
          }));

        // The IDE gateway.
        const grants = new IdeGrantStore(await database.getClient());
        const access = new IdeAccessService({ grants, addresses });
        const targets = new IdeTargets({ store, runtime, access });

        // The life cycle and its listeners.
        const events = new WorkspaceEvents();
        events.onChange(signalPages(deps));
        events.onChange(notifyOwners(deps));
        const lifecycle = new WorkspaceLifecycle({
          store,
          runtime,
          events,
          gateway: targets,
          authorOf: authorInCatalog(deps),
          logger,
        });
        const rules = { store, lifecycle, events, logger };
        const idle = new IdleMonitor({ ...rules, idleTimeoutMinutes });
        const unused = new UnusedMonitor({ ...rules, rules: options.cleanUp });
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

        // The API.
        const reader = DevfileReader.fromConfig(config, deps);
        const devfiles = new DevfileLoader({ reader });
        const repositories = new RepositoryLoader({
          devfiles,
          reader,
          repositories: RepositoryReader.fromConfig(config, { reader, logger }),
          defaultUrl: options.defaultDevfileUrl,
        });
        const parts = {
          ...{ store, runtime, events, lifecycle },
          ...{ devfiles, repositories },
        };
        const service = new WorkspaceService({ ...options, ...parts, access });
        const imports = new WorkspaceImports(parts);
        deps.readiness.watch('ide-launcher', await database.getClient());
        deps.permissionsRegistry.addPermissions(ideLauncherPermissions);
        await serveOpenApi({
          httpRouter: deps.httpRouter,
          file: resolvePackagePath(
            '@slipway/plugin-ide-launcher-backend',
            'openapi.yaml',
          ),
        });
        deps.httpRouter.use(
          createWorkspaceRoutes({ httpAuth, permissions, service, imports }),
        );
        deps.httpRouter.use(
          createAdministrationRouter({
            ...{ httpAuth, permissions },
            report: async () => ({
              roles: rolesOf(ideLauncherPermissions, {
                adminGroups: options.adminGroups,
              }),
              tokens: [],
              webhooks: [],
            }),
          }),
        );
        deps.httpRouter.use(
          createEntityRouter({
            ...{ httpAuth, permissions },
            catalog: deps.catalog,
            userInfo: deps.userInfo,
            permission: workspaceReadPermission,
            part: workspacesPart({ service }),
          }),
        );

        // Registered before anything starts, so that everything started is stopped even after a
        // failure.
        deps.lifecycle.addShutdownHook(async () => {
          await gateway.close();
          const deadline = AbortSignal.timeout(SHUTDOWN_TIMEOUT_MS);
          // In parallel, so that workspaces stop even if their times of use cannot be written.
          await settleAll([
            raceAbort(idle.flush(), deadline),
            lifecycle.shutdown(
              { stopWorkspaces: options.stopOnShutdown },
              deadline,
            ),
          ]);
        });
        let reconciled = false;
        const reconcile = async () => {
          await reconcileWorkspaces({ store, runtime, lifecycle, logger });
          reconciled = true;
        };
        await reconcile().catch(error => {
          if (!(error instanceof ServiceUnavailableError)) {
            throw error;
          }
          // The portal is useful even if the runtime is unavailable; housekeeping tries again.
          logger.warn(`Workspaces cannot be listed: ${error.message}`);
        });
        await gateway.listen(options.listen);
        runtime.prepare();
        await deps.scheduler.scheduleTask({
          id: 'ide-launcher-housekeeping',
          scope: 'local',
          frequency: HOUSEKEEPING_INTERVAL,
          timeout: { minutes: 1 },
          async fn() {
            if (!reconciled) {
              await reconcile().catch(error => {
                logger.debug(`Workspaces cannot be listed: ${error.message}`);
              });
            }
            await idle.check();
            await unused.check();
            await access.cleanUp();
            await gateway.recheckSockets();
            await lifecycle.sweep();
          },
        });
        logger.info(
          `IDEs are served on ${options.listen.host}:${options.listen.port}`,
        );
      },
    });
  },
});
