import type { ServiceClient } from '@slipway/app-react';
import {
  type Dependency,
  type FlagLink,
  type FlagName,
  type Tag,
  featurePath,
  projectPath,
} from './flags';

/** Parent flags, links and tags of a flag. */
export interface RelationCalls {
  /** Makes a flag depend on another flag, or changes what it requires of that flag. */
  setDependency(flag: FlagName, dependency: Dependency): Promise<void>;
  removeDependency(flag: FlagName, parent: string): Promise<void>;
  addLink(flag: FlagName, link: Omit<FlagLink, 'id'>): Promise<void>;
  removeLink(flag: FlagName, id: string): Promise<void>;
  addTag(name: string, tag: Tag): Promise<void>;
  removeTag(name: string, tag: Tag): Promise<void>;
}

/** {@link RelationCalls} of the service. */
export function relationCalls(admin: ServiceClient): RelationCalls {
  const tagsPath = (name: string) => `${featurePath(name)}/tags`;
  return {
    async setDependency(flag, dependency) {
      await admin.json(`${projectPath(flag)}/dependencies`, {
        method: 'POST',
        body: dependency,
      });
    },

    async removeDependency(flag, parent) {
      const path = `${projectPath(flag)}/dependencies/${encodeURIComponent(parent)}`;
      await admin.json(path, { method: 'DELETE' });
    },

    async addLink(flag, link) {
      await admin.json(`${projectPath(flag)}/link`, {
        method: 'POST',
        body: link,
      });
    },

    async removeLink(flag, id) {
      const path = `${projectPath(flag)}/link/${encodeURIComponent(id)}`;
      await admin.json(path, { method: 'DELETE' });
    },

    async addTag(name, tag) {
      await admin.json(tagsPath(name), { method: 'POST', body: tag });
    },

    // With PUT, because a value may contain a slash, which a path may not.
    async removeTag(name, tag) {
      await admin.json(tagsPath(name), {
        method: 'PUT',
        body: { removedTags: [tag] },
      });
    },
  };
}
