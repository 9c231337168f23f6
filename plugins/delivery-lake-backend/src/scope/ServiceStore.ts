import { LakeService } from './LakeService';

/** Every filter that is given has to fit. */
export interface ServiceFilter {
  /** Entity ref of the owning group. */
  team?: string;
  /** Entity ref of the system. */
  project?: string;
  /** A name that senders use, and the entity ref of the component it means. */
  service?: { name: string; entityRef?: string };
}

/** Reads the services that the lake has heard of. */
export interface ServiceStore {
  /** By name. */
  list(filter?: ServiceFilter): Promise<LakeService[]>;
}
