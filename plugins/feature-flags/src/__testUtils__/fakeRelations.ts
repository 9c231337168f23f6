import type { RelationCalls } from '../api/relations';
import type { Dependency, FlagLink, FlagName, Tag } from '../api/flags';
import type { FakeState } from './FakeState';

/** Parent flags, links and tags of the fake service. */
export function fakeRelations(state: FakeState): RelationCalls {
  const flagNamed = (name: string) =>
    state.flags.find(flag => flag.name === name)!;
  return {
    async setDependency({ name }: FlagName, dependency: Dependency) {
      state.respond('setDependency', undefined);
      const others = (flagNamed(name).dependencies ?? []).filter(
        ({ feature }) => feature !== dependency.feature,
      );
      state.put(name, { dependencies: [...others, dependency] });
    },

    async removeDependency({ name }: FlagName, parent: string) {
      state.respond('removeDependency', undefined);
      state.put(name, {
        dependencies: flagNamed(name).dependencies?.filter(
          ({ feature }) => feature !== parent,
        ),
      });
    },

    async addLink({ name }: FlagName, link: Omit<FlagLink, 'id'>) {
      state.respond('addLink', undefined);
      const { links = [] } = flagNamed(name);
      const id = `link-${links.length}`;
      state.put(name, { links: [...links, { id, ...link }] });
    },

    async removeLink({ name }: FlagName, id: string) {
      state.respond('removeLink', undefined);
      state.put(name, {
        links: flagNamed(name).links?.filter(link => link.id !== id),
      });
    },

    async addTag(name: string, tag: Tag) {
      state.respond('addTag', undefined);
      state.put(name, { tags: [...(flagNamed(name).tags ?? []), tag] });
    },

    async removeTag(name: string, { type, value }: Tag) {
      state.respond('removeTag', undefined);
      state.put(name, {
        tags: flagNamed(name).tags?.filter(
          tag => tag.type !== type || tag.value !== value,
        ),
      });
    },
  };
}
