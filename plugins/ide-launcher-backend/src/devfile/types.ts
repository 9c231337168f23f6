import { RawDevfile } from './schema/devfile';

/**
 * A devfile after parsing, validation, parent resolution and variable
 * substitution: what runtimes work with. Lists are never undefined.
 *
 * @see https://devfile.io/docs/2.2.2/devfile-schema
 */
export interface Devfile {
  /**
   * The whole file, parent merged and variables replaced, for runtimes that hand
   * it on. Devfiles that were recorded before there was such a runtime lack it.
   */
  flat?: RawDevfile;
  schemaVersion: string;
  metadata: DevfileMetadata;
  components: DevfileComponent[];
  commands: DevfileCommand[];
  projects: DevfileProject[];
  /** What a workspace may begin with; one that was chosen is among its projects. */
  starterProjects: DevfileStarterProject[];
  events: DevfileEvents;
}

/** Identity of a devfile. `name` is derived from the address where the file names none. */
interface DevfileMetadata {
  name: string;
  version: string | null;
  displayName: string | null;
  description: string | null;
}

/** Lists of command ids, each known to exist. */
interface DevfileEvents {
  preStart: string[];
  postStart: string[];
  preStop: string[];
  postStop: string[];
}

/** One component; `type` tells which of the optional parts is there. */
export type DevfileComponent =
  | { name: string; type: 'container'; container: DevfileContainer }
  | { name: string; type: 'volume'; size: string | null; ephemeral: boolean }
  | { name: string; type: 'kubernetes' | 'openshift'; detail: string }
  | { name: string; type: 'image'; imageName: string };

/** The parts of a container component that a runtime can honour. */
export interface DevfileContainer {
  image: string;
  env: { name: string; value: string }[];
  endpoints: DevfileEndpoint[];
  memoryLimit: string | null;
  cpuLimit: string | null;
  mountSources: boolean;
  sourceMapping: string | null;
  command: string[];
  args: string[];
  volumeMounts: { name: string; path: string | null }[];
}

/** A port that a container offers. */
export interface DevfileEndpoint {
  name: string;
  targetPort: number;
  exposure: 'public' | 'internal' | 'none';
  protocol: 'http' | 'https' | 'ws' | 'wss' | 'tcp' | 'udp';
  path: string | null;
  secure: boolean;
}

/** A command's group. */
export interface DevfileCommandGroup {
  kind: 'build' | 'run' | 'test' | 'debug' | 'deploy';
  isDefault: boolean;
}

interface DevfileCommandBase {
  id: string;
  label: string | null;
  group: DevfileCommandGroup | null;
}

/** One command; `type` tells which form it has. */
export type DevfileCommand =
  | (DevfileCommandBase & {
      type: 'exec';
      commandLine: string;
      component: string;
      workingDir: string | null;
      env: { name: string; value: string }[];
    })
  | (DevfileCommandBase & { type: 'apply'; component: string })
  | (DevfileCommandBase & {
      type: 'composite';
      commands: string[];
      parallel: boolean;
    });

interface DevfileProjectBase {
  name: string;
  clonePath: string | null;
  /** The folder of the source that becomes the project; all of it by default. */
  subDir?: string;
}

/** A project to bring into the workspace. */
export type DevfileProject =
  | (DevfileProjectBase & {
      type: 'git';
      /** The remote to clone from, chosen by `checkoutFrom` where there are several. */
      remote: { name: string; url: string };
      otherRemotes: { name: string; url: string }[];
      revision: string | null;
    })
  | (DevfileProjectBase & { type: 'zip'; location: string });

/** A project to begin with. */
export type DevfileStarterProject = DevfileProject & {
  description: string | null;
};
