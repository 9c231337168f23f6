import { LoggerService } from '@backstage/backend-plugin-api';
import { ManagedTool } from '@slipway/managed-tools';

/** A command that serves an editor, as an operator configures it. */
export interface EditorCommand {
  /**
   * Program and arguments. `{socket}`, `{folder}`, `{userData}`,
   * `{extensions}` and `{home}` are replaced; a command without `{socket}` is
   * given code-server's own flags.
   */
  command: string[];
  title: string;
  /** Path that answers 200 when the editor is ready. */
  healthPath: string;
}

/** Where the time and space of a workspace end. */
export interface LocalRuntimeLimits {
  /** Editors that start at the same time; more of them wait their turn. */
  concurrentStarts: number;
  /** From the start of the process until it answers. */
  startTimeoutMs: number;
  /** From asking the editor to end until it is killed. */
  stopTimeoutMs: number;
  /** For the clone of one project. */
  cloneTimeoutMs: number;
  /** For the clone of one project, history included. */
  cloneMaxBytes: number;
  /** For one command of the devfile's postStart event. */
  commandTimeoutMs: number;
  /** Processes and threads of one workspace; held by the kernel in a sandbox only. */
  processes: number;
  /** Files that one process may have open, in a sandbox. */
  openFiles: number;
  /** Memory of one workspace whose devfile asks for no limit. */
  memoryBytes: number;
}

/** How workspaces are kept apart from the portal and from each other. */
export interface IsolationOptions {
  /**
   * `auto`: where it works; production starts with nothing less. `required`:
   * always. `none`: never, and said so wherever a workspace is shown.
   */
  mode: 'auto' | 'required' | 'none';
  /** `auto`: a network of its own where that works. */
  network: 'auto' | 'shared';
  /** Private networks, in CIDR form, that workspaces with a network of their own reach. */
  allowedNetworks: string[];
  /** Places of this machine that workspaces may read beside the system's. */
  readable: string[];
  /** First of the 65,536 user numbers of workspaces, where the portal is root. */
  firstUid: number;
}

/** How a killed portal's editors find out that it does not return. */
export interface LeaseOptions {
  /** How often the portal shows that it lives, and the editors' guards look. */
  intervalMs: number;
  /** How long a guard waits for the next sign before it ends its editor. */
  timeoutMs: number;
}

/** How a `LocalRuntime` works. */
export interface LocalRuntimeOptions {
  /** Everything of the workspaces lives below this absolute path. */
  dataDir: string;
  logger: LoggerService;
  /** Wins over every editor that is found. */
  editorCommand?: EditorCommand;
  /** The editor that is brought when none is found; null to bring none. */
  managedTool: ManagedTool | null;
  /** Where managed tools are, see `findToolsFolder`. */
  toolsFolder: string;
  /** PATH of the workspaces; also where editors are looked for. */
  path: string;
  /** Variables every workspace gets beside its own, e.g. a proxy's address. */
  environment: Record<string, string>;
  /** Certificate authorities that git trusts beside the system's. */
  caFile?: string;
  limits: LocalRuntimeLimits;
  isolation: IsolationOptions;
  /** The program that is the first of each sandbox. */
  agentFile: string;
  lease: LeaseOptions;
}
