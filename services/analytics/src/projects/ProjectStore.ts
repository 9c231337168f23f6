import type {
  Credential,
  CredentialKind,
  NewCredential,
  Project,
} from './Project.ts';

/** Keeps projects and their credentials. */
export interface ProjectStore {
  /** By name. */
  list(): Promise<Project[]>;
  find(id: string): Promise<Project | undefined>;
  /** @throws ConflictError where the id is taken. */
  create(project: Project & { createdBy: string }): Promise<void>;
  /** Those that are valid, newest first. */
  credentialsOf(projectId: string): Promise<Credential[]>;
  add(credential: NewCredential): Promise<void>;
  /** @returns false where there is no such credential of the portal. */
  revoke(options: {
    projectId: string;
    id: string;
    now: number;
  }): Promise<boolean>;
  /** The project of a valid credential, by the SHA-256 of its secret. */
  projectOf(
    sha256: string,
    kind: CredentialKind,
  ): Promise<{ projectId: string; credentialId: string } | undefined>;
  /**
   * Makes the projects and credentials of the configuration exist, and revokes those
   * of earlier configurations.
   */
  adopt(options: {
    projects: readonly Project[];
    credentials: readonly NewCredential[];
    now: number;
  }): Promise<void>;
}
