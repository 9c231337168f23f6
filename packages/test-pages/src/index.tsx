import type { PropsWithChildren } from 'react';
import { ResponseError } from '@backstage/errors';
import {
  AppRootElementBlueprint,
  createFrontendModule,
} from '@backstage/frontend-plugin-api';
import {
  type RenderTestAppOptions,
  renderTestApp,
} from '@backstage/frontend-test-utils';
import { AppRootWrapperBlueprint } from '@backstage/plugin-app-react';
import {
  pagesOfService,
  queryClientFactoryApiRef,
  toErrorEnvelope,
} from '@slipway/app-react';
import { QueryClient } from '@tanstack/react-query';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useLocation } from 'react-router-dom';
import { SWRConfig } from 'swr';

function AddressProbe() {
  const { pathname, search } = useLocation();
  return <output data-testid="address">{pathname + search}</output>;
}

const addressProbe = AppRootElementBlueprint.make({
  name: 'address',
  params: { element: <AddressProbe /> },
});

// Backstage keeps permissions in a cache of the module: one test would get those of another.
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

/** The query clients of tests tell failures at once: retries are not what is tested. */
export const failAtOnce = [
  queryClientFactoryApiRef,
  () => new QueryClient({ defaultOptions: { queries: { retry: false } } }),
] as const;

/** Renders an app that consists of a plugin, at an address, on fake APIs. */
export function renderPages<const TApiPairs extends any[]>({
  path,
  features = [],
  extensions = [],
  apis,
  ...options
}: RenderTestAppOptions<TApiPairs> & { path: string }) {
  renderTestApp({
    ...options,
    features: [ownPermissions, ...features],
    extensions: [addressProbe, ...extensions],
    initialRouteEntries: [path],
    apis: [failAtOnce, ...(apis ?? [])] as RenderTestAppOptions['apis'],
  });
  return {
    user: userEvent.setup(),
    /** Reads the path and query that the app is at. */
    address: () => screen.getByTestId('address').textContent ?? '',
  };
}

/** Stands for the wrapper of a plugin around an element that is rendered by itself. */
export function InPages({
  pages: { component: Pages },
  children,
}: PropsWithChildren<{ pages: ReturnType<typeof pagesOfService> }>) {
  return <Pages>{children}</Pages>;
}

/** Makes what a client throws when a service answers with this status and these words. */
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
