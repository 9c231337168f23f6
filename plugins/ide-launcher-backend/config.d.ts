import { HumanDuration } from '@backstage/types';

export interface Config {
  ideLauncher?: {
    /** The place where workspaces run: `local` (default) is this machine, `kubernetes` a cluster. */
    runtime?: 'local' | 'kubernetes';
    /**
     * Lets workspaces run without isolation, as processes of the portal's user, before an
     * administrator has accepted that in the portal. Ignored in production. Default: false
     */
    acceptUnisolated?: boolean;
    /** The listener through which browsers reach IDEs, on an origin that is not the portal's. */
    gateway?: {
      /**
       * Address of a workspace, with `{workspace}` in the path or in the host:
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
    /**
     * A workspace that nobody uses for this long is stopped. `never` switches
     * it off. Default: 30 minutes.
     */
    idleTimeout?: HumanDuration | string;
    /** What one owner may have. */
    limits?: {
      /** Workspaces in all. Default: 50 */
      total?: number;
      /** Workspaces that start, run or stop. Default: 25 */
      running?: number;
      /** The limits of all owners together. Default: no limit */
      everyone?: { total?: number; running?: number };
    };
    /** Deletes workspaces that nobody uses, after a notification. Off unless set. */
    cleanUp?: {
      /** From the last use, e.g. `60 days`. */
      after: HumanDuration | string;
      /** From the notification. Default: 7 days */
      notice?: HumanDuration | string;
    };
    devfile?: {
      /**
       * From where devfiles, their parents and their projects come: the hosts
       * under `backend.reading.allow` (`listed`, default) or any public server
       * as well (`public`).
       */
      hosts?: 'listed' | 'public';
      /**
       * Lets devfiles be read from private and loopback addresses. Hosts are
       * still held to `backend.reading.allow`. Default: false
       */
      allowPrivateAddresses?: boolean;
      /** Devfiles that the create dialog offers. */
      samples?: Array<{
        title: string;
        description: string;
        devfileUrl: string;
      }>;
    };
    /** The runtime that runs editors as processes of this machine. */
    local?: {
      /** Folder of all workspaces; relative to the back end's working directory. */
      dataDirectory: string;
      /**
       * Whether IDEs end with the portal. Default: true. With false, a portal
       * that is back within `leaseTimeout` finds them running.
       */
      stopOnShutdown?: boolean;
      /** How long the IDEs of a portal that was killed wait for its return. Default: 2 minutes */
      leaseTimeout?: HumanDuration | string;
      editor?: {
        /**
         * Program and arguments that serve an editor, instead of one that is
         * found. `{socket}`, `{folder}`, `{userData}`, `{extensions}` and
         * `{home}` are replaced.
         */
        command?: string[];
        /** Name of the configured editor. */
        title?: string;
        /** Path that answers 200 when the configured editor is ready. Default: /healthz */
        healthPath?: string;
        /** Set to false to bring no code-server when no editor is found. Default: true */
        install?: boolean;
        /** The folder it is brought to. Default: `.tools` of the repository */
        toolsDirectory?: string;
      };
      /** PATH of the workspaces. Default: the portal's own */
      path?: string;
      /** Variables that every workspace gets, e.g. a proxy's address. */
      environment?: { [name: string]: string };
      /** Certificate authorities that git trusts beside the system's. Default: NODE_EXTRA_CA_CERTS */
      caFile?: string;
      egress?: {
        /**
         * Private IPv4 addresses and networks that workspaces with a network of their
         * own reach all the same, such as 10.20.0.0/16. Default: none
         */
        allowed?: string[];
      };
      isolation?: {
        /**
         * `auto` (default): bubblewrap where it works; in production nothing
         * less. `required`: nothing less anywhere. `none`: plain processes of
         * the portal's user.
         */
        mode?: 'auto' | 'required' | 'none';
        /** `auto` (default): a network of its own where slirp4netns works. */
        network?: 'auto' | 'shared';
        /** Places of this machine that workspaces may read beside the system's. */
        readable?: string[];
        /** First of the 65,536 user numbers that workspaces of a portal run by root get. Default: 2000000000 */
        firstUid?: number;
      };
      limits?: {
        /** Processes and threads of one workspace. Default: 1024 */
        processes?: number;
        /** Files one process may have open. Default: 65536 */
        openFiles?: number;
        /** Memory of one workspace; the devfile may ask for less. Default: 4096 */
        memoryMebibytes?: number;
        /** Editors that start at the same time. Default: the number of processors */
        concurrentStarts?: number;
        /** Until an editor answers. Default: 30 seconds */
        startTimeout?: HumanDuration | string;
        /** From asking an editor to end until it is killed. Default: 5 seconds */
        stopTimeout?: HumanDuration | string;
        /** The time limit of one project's clone. Default: 5 minutes */
        cloneTimeout?: HumanDuration | string;
        /** Size of the clone of one project. Default: 2048 */
        cloneMaxMebibytes?: number;
        /** The time limit of one command of the postStart event. Default: 10 minutes */
        commandTimeout?: HumanDuration | string;
      };
    };
    /** The runtime that runs workspaces in a cluster with the DevWorkspace Operator. */
    kubernetes?: {
      /**
       * How the portal reaches the cluster: `in-cluster` (default) by the service
       * account of its own pod, `kubeconfig` by a file.
       */
      connection?: 'in-cluster' | 'kubeconfig';
      kubeconfig?: {
        /** Default: KUBECONFIG or `~/.kube/config` */
        file?: string;
        /** Default: the file's current context */
        context?: string;
      };
      /**
       * Tells this portal's workspaces from those of another portal in the same
       * cluster. Whoever changes it loses sight of what there is. Default: slipway
       */
      instance?: string;
      /**
       * Routing class of the operator. With `cluster` (default) IDEs are reached
       * inside the cluster alone, by the portal's gateway; a portal outside needs
       * one that gives IDEs an address it reaches, such as `basic`.
       */
      routingClass?: string;
      /**
       * Namespaces whose pods may reach workspaces. An empty list makes no network
       * policy. Default: the portal's own and the operator's, in-cluster with the
       * routing class `cluster`; otherwise no policy.
       */
      reachableFrom?: string[];
      /** The storage strategy of files, as the operator names it. Default: per-workspace */
      storageType?: string;
      /** Image of the container for devfiles that describe none. */
      defaultImage?: string;
      editor?: {
        /** Image of che-code. */
        image?: string;
        /** A devfile that describes another editor, instead of che-code. */
        definitionFile?: string;
        /** Name of the editor. Default: VS Code */
        title?: string;
      };
      limits?: {
        /** The time limit of one request to the cluster. Default: 10 seconds */
        requestTimeout?: HumanDuration | string;
        /** Until an IDE answers; the operator gives up on its own after 5 minutes without progress. Default: 15 minutes */
        startTimeout?: HumanDuration | string;
        /** Until a workspace that was told to stop has stopped. Default: 2 minutes */
        stopTimeout?: HumanDuration | string;
      };
    };
  };
}
