/** A service as senders name it, with whose it is. */
export interface LakeService {
  /** Internal id. */
  id: number;
  name: string;
  /** Entity ref of its component; null where the catalog knows none. */
  entityRef: string | null;
  /** Entity ref of the owning group. */
  team: string | null;
  /** Entity ref of the system. */
  project: string | null;
}

/** Internal ids of the services that a question is about; `all` counts what nobody claims as well. */
export type ServiceIds = 'all' | number[];
