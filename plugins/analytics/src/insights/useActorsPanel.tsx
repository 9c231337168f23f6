import { type ReactNode, useEffect, useRef } from 'react';
import { useUrlFilters } from '@slipway/design-system';
import { useLocation } from 'react-router-dom';
import type { Project } from '../api/EventsApi';
import type { InsightQuery } from '../api/InsightQuery';
import { ActorsPanel } from '../people/ActorsPanel';
import { type PeopleLink, readSelection, textOfSelection } from './selection';

const PEOPLE = 'people';
const NONE = { [PEOPLE]: '' };

/**
 * Returns the panel with the people behind the number of an insight that the URL selects,
 * and the links that open it; neither if the project hides people. A change of the query
 * closes the panel.
 *
 * @param query - undefined until it is known.
 */
export function useActorsPanel(
  project: Project | undefined,
  query: InsightQuery | undefined,
): { panel: ReactNode; peopleLink: PeopleLink | undefined } {
  const { values, set } = useUrlFilters(NONE, { addsHistory: true });
  const { pathname, search } = useLocation();
  useClosed(query, values[PEOPLE] !== '');
  if (!project || project.hidesPeople || !query) {
    return { panel: undefined, peopleLink: undefined };
  }
  const selected = readSelection(values[PEOPLE], query);
  return {
    panel: selected && (
      <ActorsPanel
        projectId={project.id}
        selected={selected}
        onClose={() => set(PEOPLE, '')}
      />
    ),
    peopleLink: selection => {
      const params = new URLSearchParams(search);
      params.set(PEOPLE, textOfSelection(selection));
      return `${pathname}?${params}`;
    },
  };
}

/** Closes the panel when the query changes: its number may then be a different one, or missing. */
function useClosed(query: InsightQuery | undefined, isOpen: boolean): void {
  const { clear } = useUrlFilters(NONE);
  const key = query && JSON.stringify(query);
  const shown = useRef(key);
  useEffect(() => {
    if (key === undefined) {
      return;
    }
    if (isOpen && shown.current !== undefined && shown.current !== key) {
      clear();
    }
    shown.current = key;
  }, [key, isOpen, clear]);
}
