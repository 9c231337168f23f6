/** A process that asks for flags, as it describes itself. Times in milliseconds. */
export interface ClientInstance {
  readonly appName: string;
  readonly instanceId: string;
  readonly environment: string;
  /** e.g. `unleash-node-sdk:6.12.1`. */
  readonly sdkVersion: string | null;
  /** Names of the strategies that it can evaluate. */
  readonly strategies: readonly string[];
  /** Milliseconds since the Unix epoch. */
  readonly startedAt: number;
  /** Between two reports of usage. */
  readonly intervalMs: number;
  readonly seenAt: number;
}

/** An application: all instances of one name. Times in milliseconds. */
export interface Application {
  readonly appName: string;
  readonly instances: number;
  readonly sdkVersions: readonly string[];
  readonly seenAt: number;
}

/** Who asks for flags. */
export interface ApplicationStore {
  /** Resolves once it is on disk; an instance that registers again takes its own place. */
  register(instance: ClientInstance): Promise<void>;
  /** Those seen last first. */
  list(limit: number): Promise<Application[]>;
  /** Forgets instances that were last seen before. @returns how many. */
  purge(seenBefore: number): Promise<number>;
}
