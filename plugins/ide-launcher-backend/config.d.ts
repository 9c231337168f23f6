import { HumanDuration } from '@backstage/types';

export interface Config {
  ideLauncher?: {
    /** The runtime of workspaces: `local` (default) on this machine, `kubernetes` in a cluster. */
    runtime?: 'local' | 'kubernetes';
    /**
     * Allows workspaces without isolation, as processes of the portal's user, before an
     * admin has accepted that in the portal. Ignored in production. Default: false
     */
    acceptUnisolated?: boolean;
    /** The listener through which browsers reach IDEs, on a different origin from the portal's. */
    gateway?: {
      /**
       * Workspace URL, with `{workspace}` in the path or in the host:
       * `http://localhost:7010/w/{workspace}/` (default) or
       * `https://{workspace}.ide.example.org/`. Ends in a slash.
       */
      urlTemplate?: string;
      listen?: {
        /** Default: 127.0.0.1 */
        host?: string;
        /** Default: 7010 */
        port?: number;
      };
    };
    /** Workspaces that are idle for this long are stopped. `never` turns this off. Default: 30 minutes */
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
    /** Deletes unused workspaces after notifying their owner. Off unless set. */
    cleanUp?: {
      /** Time since the last use, e.g. `60 days`. */
      after: HumanDuration | string;
      /** Time since the notification. Default: 7 days */
      notice?: HumanDuration | string;
    };
    devfile?: {
      /**
       * Hosts from which devfiles, their parents and their projects may be fetched: those under
       * `backend.reading.allow` (`listed`, default) or also any public server (`public`).
       */
      hosts?: 'listed' | 'public';
      /**
       * Also allows private and loopback addresses for hosts that only match a wildcard in
       * `backend.reading.allow`. Hosts listed there by name may always have them. Default: false
       */
      allowPrivateAddresses?: boolean;
      /**
       * Address of the devfile for repositories without one. Its projects and starter projects are
       * replaced by the repository. Default: a devfile with only the repository
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
       * Time for which IDEs keep running after the portal was killed. Default: 2 minutes
       */
      leaseTimeout?: HumanDuration | string;
      editor?: {
        /**
         * Program and arguments of an editor server, used instead of an editor found on this
         * machine. `{socket}`, `{folder}`, `{userData}`, `{extensions}` and `{home}` are
         * replaced.
         */
        command?: string[];
        /** Name of the configured editor. */
        title?: string;
        /** Path that responds with 200 when the configured editor is ready. Default: /healthz */
        healthPath?: string;
        /** Set to false to not install code-server if no editor is found. Default: true */
        install?: boolean;
        /** The folder of managed tools. Default: SLIPWAY_TOOLS_DIR, or else `.tools` of the repository */
        toolsDirectory?: string;
      };
      /** PATH of the workspaces. Default: the portal's PATH */
      path?: string;
      /** Environment variables for every workspace, e.g. a proxy's address. */
      environment?: { [name: string]: string };
      /** Certificate authorities that git trusts in addition to the system's. Default: NODE_EXTRA_CA_CERTS */
      caFile?: string;
      egress?: {
        /**
         * Private IPv4 addresses and networks, such as 10.20.0.0/16, that workspaces with their
         * own network may reach. Default: none
         */
        allowed?: string[];
      };
      isolation?: {
        /**
         * `auto` (default): bubblewrap if it works; mandatory in production. `required`: always
         * mandatory. `none`: plain processes of the portal's user.
         */
        mode?: 'auto' | 'required' | 'none';
        /** `auto` (default): a separate network if slirp4netns works. */
        network?: 'auto' | 'shared';
        /** Paths on this machine that workspaces may read in addition to the system's. */
        readable?: string[];
        /** First of the 65,536 user IDs for workspaces if the portal runs as root. Default: 2000000000 */
        firstUid?: number;
      };
      limits?: {
        /** Processes and threads of one workspace. Default: 1024 */
        processes?: number;
        /** Open files per process. Default: 65536 */
        openFiles?: number;
        /** Memory of one workspace; the devfile may set a lower limit. Default: 4096 */
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
        /** Time limit for one command of the postStart event. Default: 10 minutes */
        commandTimeout?: HumanDuration | string;
      };
    };
    /** The runtime that runs workspaces in a cluster with the DevWorkspace Operator. */
    kubernetes?: {
      /**
       * Type of connection to the cluster: `in-cluster` (default) with the service account of
       * its own pod, `kubeconfig` with a file.
       */
      connection?: 'in-cluster' | 'kubeconfig';
      kubeconfig?: {
        /** Default: KUBECONFIG or `~/.kube/config` */
        file?: string;
        /** Default: the file's current context */
        context?: string;
      };
      /**
       * Distinguishes this portal's workspaces from those of other portals in the same cluster.
       * After a change, the portal no longer finds its existing workspaces. Default: slipway
       */
      instance?: string;
      /**
       * Routing class of the operator. With `cluster` (default), IDEs can only be reached inside
       * the cluster, by the portal's gateway; a portal outside the cluster needs a class that
       * gives IDEs an address it can reach, such as `basic`.
       */
      routingClass?: string;
      /**
       * Namespaces whose pods may connect to workspaces. An empty list creates no network
       * policy. Default: the portal's own namespace and the operator's if the portal runs in the
       * cluster with the routing class `cluster`, otherwise no policy.
       */
      reachableFrom?: string[];
      /**
       * Pod Security level that the cluster enforces in the namespaces that the portal creates.
       * With `baseline` (default), no devfile can give a workspace access to its node, whatever
       * it overrides; `restricted` allows less, `privileged` anything, also containers in
       * workspaces. Existing namespaces keep the level of their label.
       */
      podSecurity?: 'baseline' | 'restricted' | 'privileged';
      /** The operator's storage strategy for files. Default: per-workspace */
      storageType?: string;
      /** Container image for devfiles without a container component. */
      defaultImage?: string;
      editor?: {
        /** Image of che-code. */
        image?: string;
        /** A devfile that describes an editor to use instead of che-code. */
        definitionFile?: string;
        /** Name of the editor. Default: VS Code */
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
