import {
  useSearchedWords,
  useServiceChange,
  useServiceQuery,
} from '@slipway/app-react';
import { keepPreviousData } from '@tanstack/react-query';
import {
  type DefinitionKind,
  type DefinitionNotes,
  eventsApiRef,
} from '../api/EventsApi';

/** Queries the events or properties of a project with a text in their name. */
export function useDefinitions(
  projectId: string | undefined,
  kind: DefinitionKind,
  text = '',
) {
  const search = useSearchedWords(text);
  return useServiceQuery(
    eventsApiRef,
    ['definitions', projectId, kind, search],
    (api, call) => api.getDefinitions(projectId!, { kind, search, ...call }),
    { enabled: projectId !== undefined, placeholderData: keepPreviousData },
  );
}

/** Queries the names that forms suggest, with the most events first. */
export function useNames(
  projectId: string | undefined,
  kind: DefinitionKind,
): string[] {
  const { data } = useDefinitions(projectId, kind);
  return (data?.definitions ?? [])
    .filter(({ hidden }) => !hidden)
    .map(({ name }) => name);
}

export function useChangeDefinition(projectId: string, kind: DefinitionKind) {
  return useServiceChange(
    eventsApiRef,
    (api, { id, notes }: { id: string; notes: DefinitionNotes }) =>
      api.changeDefinition(projectId, { kind, id }, notes),
  );
}
