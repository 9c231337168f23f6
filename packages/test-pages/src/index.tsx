import type { PropsWithChildren } from 'react';
import { ResponseError } from '@backstage/errors';
import {
  type ApiRef,
  AppRootElementBlueprint,
  coreExtensionData,
  createExtension,
  createExtensionInput,
  createFrontendModule,
} from '@backstage/frontend-plugin-api';
import {
  mockApis,
  type RenderTestAppOptions,
  renderTestApp,
} from '@backstage/frontend-test-utils';
import { AppRootWrapperBlueprint } from '@backstage/plugin-app-react';
import {
  type PaletteSource,
  pagesOfService,
  queryClientFactoryApiRef,
  type SourceContext,
  toErrorEnvelope,
} from '@slipway/app-react';
import { QueryClient } from '@tanstack/react-query';
import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import {
  type NavigateFunction,
  useLocation,
  useNavigate,
} from 'react-router-dom';
import { SWRConfig } from 'swr';

/** Navigates in the app that was rendered last. */
let navigate: NavigateFunction;

function AddressProbe() {
  navigate = useNavigate();
  const { pathname, search } = useLocation();
  return <output data-testid="address">{pathname + search}</output>;
}

const addressProbe = AppRootElementBlueprint.make({
  name: 'address',
  params: { element: <AddressProbe /> },
});

// Backstage caches permissions in a module, so a test would otherwise get those of an earlier one.
const ownPermissions = createFrontendModule({
  pluginId: 'app',
  extensions: [
    AppRootWrapperBlueprint.make({
      name: 'own-permissions',
      params: {
        component: ({ children }) => (
          <SWRConfig value={{ provider: () => new Map() }}>
            {children}
          </SWRConfig>
        ),
      },
    }),
  ],
});

// Replaces Backstage's layout, which has the same name. The portal does not use its sidebar either, and
// rendering it with its style sheets took a fifth of the time of these tests.
const layout = createExtension({
  name: 'layout',
  attachTo: { id: 'app/root', input: 'children' },
  inputs: {
    nav: createExtensionInput([coreExtensionData.reactElement], {
      singleton: true,
    }),
    content: createExtensionInput([coreExtensionData.reactElement], {
      singleton: true,
    }),
  },
  output: [coreExtensionData.reactElement],
  factory: ({ inputs }) => [
    coreExtensionData.reactElement(
      inputs.content.get(coreExtensionData.reactElement),
    ),
  ],
});

const bareLayout = createFrontendModule({
  pluginId: 'app',
  extensions: [layout],
});

/** A query client whose failed queries are not retried. */
export const failAtOnce = [
  queryClientFactoryApiRef,
  () => new QueryClient({ defaultOptions: { queries: { retry: false } } }),
] as const;

/** Renders an app with a single plugin, at an address, with fake APIs. */
export function renderPages<const TApiPairs extends any[]>({
  path,
  features = [],
  extensions = [],
  apis,
  ...options
}: RenderTestAppOptions<TApiPairs> & { path: string }) {
  renderTestApp({
    ...options,
    features: [ownPermissions, bareLayout, ...features],
    extensions: [addressProbe, ...extensions],
    initialRouteEntries: [path],
    apis: [failAtOnce, ...(apis ?? [])] as RenderTestAppOptions['apis'],
  });
  return {
    user: userEvent.setup(),
    /** Returns the current path and query of the app. */
    address: () => screen.getByTestId('address').textContent ?? '',
    /** Opens another address of the app, as its palette does. */
    go: (address: string) => act(() => navigate(address)),
  };
}

/** Wraps an element that is rendered without its plugin in the wrapper of the plugin's pages. */
export function InPages({
  pages: { component: Pages },
  children,
}: PropsWithChildren<{ pages: ReturnType<typeof pagesOfService> }>) {
  return <Pages>{children}</Pages>;
}

/**
 * Opens a palette source with fake APIs. The addresses of its pages consist only of their
 * parameters, e.g. `/hello/3`.
 */
export function openSource(
  create: (context: SourceContext) => PaletteSource,
  apis: readonly (readonly [ref: ApiRef<any>, fake: unknown])[],
): PaletteSource {
  const all = new Map(apis.map(([ref, fake]) => [ref.id, fake]));
  const translations = mockApis.translation();
  return create({
    api: ref => all.get(ref.id) as never,
    href: (_ref, ...[params]) => `/${Object.values(params ?? {}).join('/')}`,
    async texts(ref) {
      const snapshot = translations.getTranslation(ref);
      if (!snapshot.ready) {
        throw new Error('The texts are not loaded');
      }
      return snapshot.t;
    },
  });
}

/** The call options that palette sources receive. */
export const CALL = { signal: new AbortController().signal };

/** Creates the error that a client throws for a response with this status and message. */
export async function refusal(
  status: number,
  message?: string,
): Promise<ResponseError> {
  const body = message === undefined ? {} : { error: message };
  const response = await toErrorEnvelope(Response.json(body, { status }));
  return ResponseError.fromResponse(
    response as Parameters<typeof ResponseError.fromResponse>[0],
  );
}
