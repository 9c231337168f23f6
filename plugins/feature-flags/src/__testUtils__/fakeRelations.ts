import type { RelationCalls } from '../api/relations';
import type { Dependency, FlagLink, FlagName, Tag } from '../api/flags';
import type { FakeState } from './FakeState';

/** Parent flags, links and tags in what a fake service holds. */
export function fakeRelations(state: FakeState): RelationCalls {
  const flagNamed = (name: string) =>
    state.flags.find(flag => flag.name === name)!;
  return {
    async setDependency({ name }: FlagName, dependency: Dependency) {
      state.answer('setDependency', undefined);
      const others = (flagNamed(name).dependencies ?? []).filter(
        ({ feature }) => feature !== dependency.feature,
      );
      state.put(name, { dependencies: [...others, dependency] });
    },

    async removeDependency({ name }: FlagName, parent: string) {
      state.answer('removeDependency', undefined);
      state.put(name, {
        dependencies: flagNamed(name).dependencies?.filter(
          ({ feature }) => feature !== parent,
        ),
      });
    },

    async addLink({ name }: FlagName, link: Omit<FlagLink, 'id'>) {
      state.answer('addLink', undefined);
      const { links = [] } = flagNamed(name);
      const id = `link-${links.length}`;
      state.put(name, { links: [...links, { id, ...link }] });
    },

    async removeLink({ name }: FlagName, id: string) {
      state.answer('removeLink', undefined);
      state.put(name, {
        links: flagNamed(name).links?.filter(link => link.id !== id),
      });
    },

    async addTag(name: string, tag: Tag) {
      state.answer('addTag', undefined);
      state.put(name, { tags: [...(flagNamed(name).tags ?? []), tag] });
    },

    async removeTag(name: string, { type, value }: Tag) {
      state.answer('removeTag', undefined);
      state.put(name, {
        tags: flagNamed(name).tags?.filter(
          tag => tag.type !== type || tag.value !== value,
        ),
      });
    },
  };
}
