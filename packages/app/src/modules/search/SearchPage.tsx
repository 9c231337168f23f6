import { type ComponentType, useEffect, useRef, useState } from 'react';
import { useApi, useTranslationRef } from '@backstage/frontend-plugin-api';
import { catalogApiRef } from '@backstage/plugin-catalog-react';
import {
  SearchContextProvider,
  useSearch,
} from '@backstage/plugin-search-react';
import {
  FilterBar,
  Page,
  PageHeader,
  type Filters,
} from '@slipway/design-system';
import { useLocation, useNavigate } from 'react-router-dom';
import { useLoaded } from '../../entities/useLoaded';
import { formatSearchAddress, readSearchAddress } from './searchAddress';
import { SearchResults, type ResultItem } from './SearchResults';
import { searchPageTranslationRef } from './translation';
import styles from './SearchPage.module.css';

/** Debounce of typing, in milliseconds. */
const PAUSE_MS = 150;

/** Props of {@link SearchPage}: what plugins attach to the page. */
export interface SearchPageProps {
  /** True to report no opened results to analytics. */
  noTrack: boolean;
  /** Renderers for the results of other plugins. */
  items: readonly ResultItem[];
  /** Indexed types other than the catalog. */
  resultTypes: readonly { value: string; name: string }[];
  searchFilters: readonly ComponentType<{ className: string }>[];
}

/** Searches everything that is indexed, with the search in the URL. */
export function SearchPage(props: SearchPageProps) {
  const { search } = useLocation();
  const [attempt, setAttempt] = useState(0);
  return (
    <SearchContextProvider
      key={attempt}
      initialState={readSearchAddress(search)}
    >
      <AddressSync />
      <SearchPageContent
        {...props}
        onRetry={() => setAttempt(current => current + 1)}
      />
    </SearchContextProvider>
  );
}

/** Keeps the search and the URL in sync, in both directions. */
function AddressSync() {
  const { term, types, filters, pageCursor, ...change } = useSearch();
  const { setTerm, setTypes, setFilters, setPageCursor } = change;
  const { search } = useLocation();
  const navigate = useNavigate();
  const known = useRef(search);
  const asked = formatSearchAddress({
    term,
    types,
    filters,
    ...(pageCursor && { pageCursor }),
  });
  useEffect(() => {
    if (search !== known.current) {
      known.current = search;
      const next = readSearchAddress(search);
      setTerm(next.term);
      setTypes(next.types);
      setFilters(next.filters);
      setPageCursor(next.pageCursor);
    }
  }, [search, setTerm, setTypes, setFilters, setPageCursor]);
  useEffect(() => {
    if (asked !== known.current) {
      known.current = asked;
      navigate({ search: asked }, { replace: true });
    }
  }, [asked, navigate]);
  return null;
}

function SearchPageContent(props: SearchPageProps & { onRetry(): void }) {
  const { t } = useTranslationRef(searchPageTranslationRef);
  const { resultTypes, searchFilters } = props;
  const facets = useFacets();
  const options = (values: readonly string[]) =>
    values.map(value => ({ value, label: value }));
  return (
    <Page
      header={<PageHeader title={t('title')} description={t('description')} />}
    >
      <FilterBar
        filters={useSearchFilters()}
        search={{ key: 'words', label: t('words') }}
        selects={[
          ...(resultTypes.length === 0
            ? []
            : [
                {
                  key: 'type' as const,
                  label: t('type'),
                  anyLabel: t('anyType'),
                  options: [
                    { value: 'software-catalog', label: t('catalog') },
                    ...resultTypes.map(({ value, name }) => ({
                      value,
                      label: name,
                    })),
                  ],
                },
              ]),
          {
            key: 'kind',
            label: t('kind'),
            anyLabel: t('anyKind'),
            options: options(facets.kinds),
          },
          {
            key: 'lifecycle',
            label: t('lifecycle'),
            anyLabel: t('anyLifecycle'),
            options: options(facets.lifecycles),
          },
        ]}
      >
        {searchFilters.map((Filter, index) => (
          <Filter key={index} className={styles.foreign} />
        ))}
      </FilterBar>
      <SearchResults {...props} />
    </Page>
  );
}

/** Returns the options of the filters: the values in the catalog. */
function useFacets() {
  const catalogApi = useApi(catalogApiRef);
  const loaded = useLoaded(async () => {
    const { facets } = await catalogApi.getEntityFacets({
      facets: ['kind', 'spec.lifecycle'],
    });
    const valuesOf = (name: string) =>
      (facets[name] ?? []).map(({ value }) => value).sort();
    return { kinds: valuesOf('kind'), lifecycles: valuesOf('spec.lifecycle') };
  }, [catalogApi]);
  return loaded.state === 'ready'
    ? loaded.value
    : { kinds: [], lifecycles: [] };
}

/** Exposes the search as the filters of a bar; words are searched once typing pauses. */
function useSearchFilters(): Filters<'words' | 'type' | 'kind' | 'lifecycle'> {
  const { term, setTerm, types, setTypes, filters, setFilters } = useSearch();
  const [typed, setTyped] = useState(term);
  useEffect(() => setTyped(term), [term]);
  useEffect(() => {
    const timer = setTimeout(() => setTerm(typed), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed, setTerm]);
  const oneOf = (value: unknown) => String([value ?? ''].flat()[0] ?? '');
  const values = {
    words: typed,
    type: types[0] ?? '',
    kind: oneOf(filters.kind),
    lifecycle: oneOf(filters.lifecycle),
  };
  return {
    values,
    set(key, value) {
      if (key === 'words') {
        setTyped(value);
      } else if (key === 'type') {
        setTypes(value ? [value] : []);
      } else {
        const { [key]: _before, ...others } = filters;
        setFilters(value ? { ...others, [key]: value } : others);
      }
    },
    clear() {
      setTyped('');
      setTerm('');
      setTypes([]);
      setFilters({});
    },
    isActive:
      typed !== '' || types.length > 0 || Object.keys(filters).length > 0,
  };
}
