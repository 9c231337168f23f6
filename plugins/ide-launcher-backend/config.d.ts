import { HumanDuration } from '@backstage/types';

export interface Config {
  ideLauncher?: {
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
    };
    devfile?: {
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
      /** Folder of all workspaces, relative to the configuration. */
      dataDirectory: string;
      /**
       * Whether IDEs end with the portal. Default: true. With false, a portal
       * that is back within half a minute finds them running.
       */
      stopOnShutdown?: boolean;
    };
  };
}
