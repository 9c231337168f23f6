import { PropsWithChildren, createContext, useContext } from 'react';
import {
  ApiBlueprint,
  type ApiHolder,
  type ApiRef,
  type DiscoveryApi,
  type FetchApi,
  type IdentityApi,
  PluginWrapperBlueprint,
  createApiRef,
  discoveryApiRef,
  fetchApiRef,
  identityApiRef,
  useApiHolder,
} from '@backstage/frontend-plugin-api';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createServiceQueryClient } from './createServiceQueryClient';

/** What failures on a plugin's pages are told with. */
export interface ServiceWords {
  /** The service at the start of a sentence, e.g. "The build server". */
  name: string;
  /** What readers may have no access to, e.g. "builds". */
  data: string;
  /** The configuration key that says where the service is. */
  endpoint?: string;
  /** A sentence that says who can give access. */
  access: string;
}

/** Makes the query client of a plugin; tests give one that fails at once. */
export const queryClientFactoryApiRef = createApiRef<() => QueryClient>().with({
  id: 'app.query-client-factory',
  pluginId: 'app',
});

const PagesContext = createContext<
  { words: ServiceWords; client: QueryClient } | undefined
>(undefined);

/** Gives pages, cards and dialogs the queries and the words of their service. */
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
 * The wrapper of a plugin whose pages, cards and dialogs ask one service: they share one
 * query client and the words for failures. Loaded by {@link wrapperOfPages}.
 *
 * @param useWords - a hook, since words are translated.
 * @param useUpdates - keeps the queries fresh while something of the plugin is shown.
 */
export function pagesOfService(
  useWords: () => ServiceWords,
  useUpdates: () => void = () => {},
) {
  // One client for each app: two apps, or two tests, share nothing.
  const clients = new WeakMap<ApiHolder, QueryClient>();
  const clientOf = (app: ApiHolder) => {
    const client =
      clients.get(app) ??
      (app.get(queryClientFactoryApiRef) ?? createServiceQueryClient)();
    clients.set(app, client);
    return client;
  };
  function Updates() {
    useUpdates();
    return null;
  }
  return {
    component: function PagesOfService({ children }: PropsWithChildren) {
      const client = clientOf(useApiHolder());
      const words = useWords();
      // A tab is wrapped, and so is the page that it is on.
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

/** The extension that puts what {@link pagesOfService} makes around everything of a plugin. */
export function wrapperOfPages(
  load: () => Promise<ReturnType<typeof pagesOfService>>,
) {
  return PluginWrapperBlueprint.make({
    params: define => define({ loader: load }),
  });
}

/** The extension that gives the pages of a plugin the client of their service. */
export function clientOfService<A>(
  apiRef: ApiRef<A>,
  create: (deps: {
    discoveryApi: DiscoveryApi;
    fetchApi: FetchApi;
    identityApi: IdentityApi;
  }) => A,
) {
  return ApiBlueprint.make({
    name: 'client',
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

/** Gives the words of the service, or undefined outside of {@link ServicePages}. */
export function useOptionalWords(): ServiceWords | undefined {
  return useContext(PagesContext)?.words;
}

/** @throws Error outside of {@link ServicePages}. */
export function useServiceWords(): ServiceWords {
  const words = useOptionalWords();
  if (!words) {
    throw new Error('This component belongs into ServicePages');
  }
  return words;
}
