import { HumanDuration } from '@backstage/types';

export interface Config {
  ideLauncher?: {
    /** The place where workspaces run: on this machine (`local`, default) or in a cluster (`kubernetes`). */
    runtime?: 'local' | 'kubernetes';
    /**
     * Allows workspaces to run without isolation, as processes of the portal's user, even if no
     * admin has accepted that in the portal. Ignored in production. Default: false
     */
    acceptUnisolated?: boolean;
    /** The gateway through which browsers reach IDEs, on a different origin from the portal's. */
    gateway?: {
      /**
       * URL of a workspace, with `{workspace}` in the path or in the host:
       * `http://localhost:7010/w/{workspace}/` (default) or
       * `https://{workspace}.ide.example.org/`. Must end with a slash.
       */
      urlTemplate?: string;
      listen?: {
        /** Default: 127.0.0.1 */
        host?: string;
        /** Default: 7010 */
        port?: number;
      };
    };
    /** Time after which an idle workspace is stopped, or `never`. Default: 30 minutes */
    idleTimeout?: HumanDuration | string;
    /** Limits per owner. */
    limits?: {
      /** Workspaces in total. Default: 50 */
      total?: number;
      /** Workspaces that are starting, running or stopping. Default: 25 */
      running?: number;
      /** Limits for all owners together. Default: no limit */
      everyone?: { total?: number; running?: number };
    };
    /** Deletes unused workspaces after notifying their owners. If omitted, workspaces are kept. */
    cleanUp?: {
      /** Minimum time from the last use to the deletion, e.g. `60 days`. */
      after: HumanDuration | string;
      /** Minimum time from the notification to the deletion. Default: 7 days */
      notice?: HumanDuration | string;
    };
    devfile?: {
      /**
       * Hosts from which devfiles, their parents and their projects may be fetched: only those
       * under `backend.reading.allow` (`listed`, default), or any public server as well (`public`).
       */
      hosts?: 'listed' | 'public';
      /**
       * Allows hosts that only match a wildcard in `backend.reading.allow` to have private and
       * loopback addresses. Hosts listed there by name always may. Default: false
       */
      allowPrivateAddresses?: boolean;
      /**
       * URL of a devfile to use for repositories without one; the repository replaces its projects
       * and starter projects. Default: a minimal devfile with only the repository
       */
      defaultUrl?: string;
      /** Devfiles offered in the create dialog. */
      samples?: Array<{
        title: string;
        description: string;
        devfileUrl: string;
      }>;
    };
    /** The runtime that runs editors as processes on this machine. */
    local?: {
      /** Folder of all workspaces, relative to the backend's working directory. */
      dataDirectory: string;
      /**
       * Stops IDEs when the portal stops. Default: true. If false, a portal that restarts within
       * `leaseTimeout` finds them still running.
       */
      stopOnShutdown?: boolean;
      /**
       * Time for which IDEs keep running after the portal is killed. Default: 2 minutes
       */
      leaseTimeout?: HumanDuration | string;
      editor?: {
        /**
         * Program and arguments of an editor server to use instead of one found on this machine.
         * May contain the placeholders `{socket}`, `{folder}`, `{userData}`, `{extensions}` and
         * `{home}`.
         */
        command?: string[];
        /** Display name of the editor that `command` starts. */
        title?: string;
        /** Path at which that editor responds with 200 once it is ready. Default: /healthz */
        healthPath?: string;
        /** Installs code-server if no editor is found. Default: true */
        install?: boolean;
        /** Folder for installed tools. Default: SLIPWAY_TOOLS_DIR or, if unset, `.tools` in the repository */
        toolsDirectory?: string;
      };
      /** PATH of the workspaces. Default: the portal's PATH */
      path?: string;
      /** Environment variables of every workspace, e.g. the address of a proxy. */
      environment?: { [name: string]: string };
      /** Certificate authorities that git trusts in addition to the system's. Default: NODE_EXTRA_CA_CERTS */
      caFile?: string;
      egress?: {
        /**
         * Private IPv4 addresses and networks, such as 10.20.0.0/16, that workspaces with a separate
         * network may reach. Default: none
         */
        allowed?: string[];
      };
      isolation?: {
        /**
         * `auto` (default): isolates workspaces with bubblewrap if it works; mandatory in
         * production. `required`: always mandatory. `none`: runs plain processes of the portal's user.
         */
        mode?: 'auto' | 'required' | 'none';
        /** `auto` (default): a separate network for each workspace if slirp4netns works. */
        network?: 'auto' | 'shared';
        /** Paths on this machine that workspaces may read in addition to the system's. */
        readable?: string[];
        /** First of 65,536 user IDs that workspaces get if the portal runs as root. Default: 2000000000 */
        firstUid?: number;
      };
      limits?: {
        /** Processes and threads per workspace. Default: 1024 */
        processes?: number;
        /** Open files per process. Default: 65536 */
        openFiles?: number;
        /** Memory per workspace; the devfile may set a lower limit. Default: 4096 */
        memoryMebibytes?: number;
        /** Editors that may start at the same time. Default: the number of processors */
        concurrentStarts?: number;
        /** Time limit for an editor to respond. Default: 30 seconds */
        startTimeout?: HumanDuration | string;
        /** Grace period before an editor that was asked to stop is killed. Default: 5 seconds */
        stopTimeout?: HumanDuration | string;
        /** Time limit for cloning one project. Default: 5 minutes */
        cloneTimeout?: HumanDuration | string;
        /** Maximum size of one cloned project. Default: 2048 */
        cloneMaxMebibytes?: number;
        /** Time limit for each command of the postStart event. Default: 10 minutes */
        commandTimeout?: HumanDuration | string;
      };
    };
    /** The runtime that runs workspaces in a cluster with the DevWorkspace Operator. */
    kubernetes?: {
      /**
       * How the portal connects to the cluster: with the service account of its pod (`in-cluster`,
       * default) or with a file (`kubeconfig`).
       */
      connection?: 'in-cluster' | 'kubeconfig';
      kubeconfig?: {
        /** Default: KUBECONFIG or `~/.kube/config` */
        file?: string;
        /** Default: the file's current context */
        context?: string;
      };
      /**
       * Name that distinguishes this portal's workspaces from those of other portals in the same
       * cluster. If it changes, the portal no longer finds its existing workspaces. Default: slipway
       */
      instance?: string;
      /**
       * Routing class of the operator. With `cluster` (default), IDEs are reachable only from
       * inside the cluster, by the portal's gateway. A portal outside the cluster needs a class
       * that gives IDEs an address that it can reach, such as `basic`.
       */
      routingClass?: string;
      /**
       * Namespaces whose pods may connect to workspaces. If empty, no network policy is created.
       * Default: if the portal runs in the cluster and the routing class is `cluster`, the
       * namespaces of the portal and of the operator; otherwise, no policy.
       */
      reachableFrom?: string[];
      /**
       * Pod Security level that the cluster enforces in the namespaces that the portal creates.
       * With `baseline` (default), no devfile can give a workspace access to its node, whatever it
       * overrides. `restricted` allows less; `privileged` allows everything, including containers
       * in workspaces. Existing namespaces keep the level in their label.
       */
      podSecurity?: 'baseline' | 'restricted' | 'privileged';
      /** The operator's storage strategy for the files of workspaces. Default: per-workspace */
      storageType?: string;
      /** Container image for devfiles without a container component. */
      defaultImage?: string;
      editor?: {
        /** Image of che-code. */
        image?: string;
        /** File with a devfile of an editor to use instead of che-code. */
        definitionFile?: string;
        /** Display name of the editor. Default: VS Code */
        title?: string;
      };
      limits?: {
        /** Time limit for one request to the cluster. Default: 10 seconds */
        requestTimeout?: HumanDuration | string;
        /**
         * Time limit for an IDE to respond; the operator itself gives up after 5 minutes without
         * progress. Default: 15 minutes
         */
        startTimeout?: HumanDuration | string;
        /** Time limit for a workspace to stop. Default: 2 minutes */
        stopTimeout?: HumanDuration | string;
      };
    };
  };
}
