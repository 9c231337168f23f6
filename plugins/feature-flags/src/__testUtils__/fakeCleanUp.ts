import type {
  CleanUpCalls,
  CleanUpList,
  CodeReference,
  FlagIssue,
} from '../api/cleanUp';
import type { FakeState } from './FakeState';

/** Calls of the fake service, on its state. */
export function fakeCleanUp(state: FakeState): CleanUpCalls {
  return {
    async listCleanUp(): Promise<CleanUpList> {
      const inUse = new Set(
        state.flags.filter(each => !each.archived).map(({ name }) => name),
      );
      return state.respond('listCleanUp', {
        canOpenIssues: true,
        features: state.cleanUp
          .filter(({ name }) => inUse.has(name))
          .map(flag => ({
            ...flag,
            stale: state.flags.some(
              each => each.name === flag.name && each.stale,
            ),
          })),
      });
    },

    async listReferences(): Promise<CodeReference[]> {
      return state.respond('listReferences', state.references);
    },

    async openIssue(name: string): Promise<FlagIssue> {
      const issue = state.respond('openIssue', {
        number: 7,
        url: 'http://localhost:8080/issues/7',
      });
      state.cleanUp = state.cleanUp.map(each =>
        each.name === name ? { ...each, issue } : each,
      );
      return issue;
    },
  };
}
