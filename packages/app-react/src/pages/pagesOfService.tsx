import { PropsWithChildren, createContext, useContext } from 'react';
import {
  ApiBlueprint,
  type ApiRef,
  type DiscoveryApi,
  type FetchApi,
  type IdentityApi,
  PluginWrapperBlueprint,
  discoveryApiRef,
  fetchApiRef,
  identityApiRef,
  useApiHolder,
} from '@backstage/frontend-plugin-api';
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { clientOf } from '../queries/clientsOfApp';

/** The words with which a plugin's pages describe failures. */
export interface ServiceWords {
  /** The service at the start of a sentence, e.g. "The build server". */
  name: string;
  /** The data that users may lack access to, e.g. "builds". */
  data: string;
  /** The configuration key with the address of the service. */
  endpoint?: string;
  /** A sentence that says who can grant access. */
  access: string;
}

const PagesContext = createContext<
  { words: ServiceWords; client: QueryClient } | undefined
>(undefined);

/** Provides pages, cards and dialogs with the query client and the words of their service. */
export function ServicePages(
  props: PropsWithChildren<{ client: QueryClient; words: ServiceWords }>,
) {
  const { client, words, children } = props;
  return (
    <PagesContext.Provider value={{ words, client }}>
      <QueryClientProvider client={client}>{children}</QueryClientProvider>
    </PagesContext.Provider>
  );
}

/**
 * Creates the wrapper of a plugin whose pages, cards and dialogs use one service: they share a
 * query client and the words for failures. Loaded by {@link wrapperOfPages}.
 *
 * @param useWords - a hook, since words are translated.
 * @param useUpdates - a hook that keeps queries up to date while any part of the plugin is shown.
 */
export function pagesOfService(
  useWords: () => ServiceWords,
  useUpdates: () => void = () => {},
) {
  function Updates() {
    useUpdates();
    return null;
  }
  return {
    component: function PagesOfService({ children }: PropsWithChildren) {
      const client = clientOf(useApiHolder(), useWords);
      const words = useWords();
      // Both a tab and the page that contains it are wrapped.
      if (useContext(PagesContext)?.client === client) {
        return <>{children}</>;
      }
      return (
        <ServicePages client={client} words={words}>
          <Updates />
          {children}
        </ServicePages>
      );
    },
  };
}

/**
 * Creates the extension that wraps all elements of a plugin in the result of {@link
 * pagesOfService}.
 */
export function wrapperOfPages(
  load: () => Promise<ReturnType<typeof pagesOfService>>,
) {
  return PluginWrapperBlueprint.make({
    params: define => define({ loader: load }),
  });
}

/**
 * Creates the extension that provides the pages of a plugin with a client of their service.
 *
 * @param name - distinguishes the clients of a plugin.
 */
export function clientOfService<A>(
  apiRef: ApiRef<A>,
  create: (deps: {
    discoveryApi: DiscoveryApi;
    fetchApi: FetchApi;
    identityApi: IdentityApi;
  }) => A,
  name = 'client',
) {
  return ApiBlueprint.make({
    name,
    params: define =>
      define({
        api: apiRef,
        deps: {
          discoveryApi: discoveryApiRef,
          fetchApi: fetchApiRef,
          identityApi: identityApiRef,
        },
        factory: create,
      }),
  });
}

/** Returns the words of the service, or undefined outside of {@link ServicePages}. */
export function useServiceWords(): ServiceWords | undefined {
  return useContext(PagesContext)?.words;
}
