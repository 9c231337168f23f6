import { RawDevfile } from './schema/devfile';

/**
 * A devfile after parsing, validation, parent resolution and variable substitution, as runtimes
 * use it. Lists are never undefined.
 *
 * @see https://devfile.io/docs/2.2.2/devfile-schema
 */
export interface Devfile {
  /**
   * The whole file, with its parent merged and its variables replaced, for runtimes that pass it
   * on. Missing in devfiles recorded before such a runtime existed.
   */
  flat?: RawDevfile;
  schemaVersion: string;
  metadata: DevfileMetadata;
  components: DevfileComponent[];
  commands: DevfileCommand[];
  projects: DevfileProject[];
  /** Available starter projects; a selected one is also in `projects`. */
  starterProjects: DevfileStarterProject[];
  events: DevfileEvents;
}

/** Identity of a devfile. `name` is derived from the URL if the file has none. */
interface DevfileMetadata {
  name: string;
  version: string | null;
  displayName: string | null;
  description: string | null;
}

/** Lists of command ids. All of them exist. */
interface DevfileEvents {
  preStart: string[];
  postStart: string[];
  preStop: string[];
  postStop: string[];
}

/** One component; `type` determines which of the optional parts is set. */
export type DevfileComponent =
  | { name: string; type: 'container'; container: DevfileContainer }
  | { name: string; type: 'volume'; size: string | null; ephemeral: boolean }
  | { name: string; type: 'kubernetes' | 'openshift'; detail: string }
  | { name: string; type: 'image'; imageName: string };

/** The parts of a container component that a runtime can support. */
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

/** A port exposed by a container. */
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

/** One command; `type` determines its form. */
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
  /** The folder of the source that becomes the project; defaults to the whole source. */
  subDir?: string;
}

/** A project to clone or download into the workspace. */
export type DevfileProject =
  | (DevfileProjectBase & {
      type: 'git';
      /** The remote to clone from, selected by `checkoutFrom` if there are several. */
      remote: { name: string; url: string };
      otherRemotes: { name: string; url: string }[];
      revision: string | null;
    })
  | (DevfileProjectBase & { type: 'zip'; location: string });

/** A project to start from. */
export type DevfileStarterProject = DevfileProject & {
  description: string | null;
};
