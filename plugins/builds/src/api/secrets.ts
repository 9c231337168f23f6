/** A secret of builds, without its value. Times are milliseconds since the Unix epoch. */
export interface Secret {
  name: string;
  /** Secrets of the configuration cannot be changed in the portal. */
  origin: 'configuration' | 'stored';
  /** Names of the jobs that may use it. */
  jobs: string[];
  /** Globs of the branches whose builds get it; empty for all. */
  branches: string[];
  updatedAt: number | null;
  updatedBy: string | null;
  lastUsedAt: number | null;
  /** The last build that used it, e.g. `shop #3`. */
  lastUsedBy: string | null;
  /** False if it was encrypted with another key. */
  readable: boolean;
}

export interface SecretList {
  /** True if the build server has a key to encrypt secrets with. */
  storable: boolean;
  secrets: Secret[];
}

/** A secret to create or update. */
export interface SecretChange {
  name: string;
  /** Omit to keep the stored value. */
  value?: string;
  jobs: string[];
  branches: string[];
}
