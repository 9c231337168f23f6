import {
  ApiBlueprint,
  createFrontendModule,
  createFrontendPlugin,
  createRouteRef,
  discoveryApiRef,
  fetchApiRef,
  SubPageBlueprint,
} from '@backstage/frontend-plugin-api';
import { RiShieldUserLine } from '@remixicon/react';
import {
  entityPartsApiRef,
  pageWithTabs,
  wrapperOfPages,
} from '@slipway/app-react';
import { AdminClient, adminApiRef } from './AdminClient';

const rootRouteRef = createRouteRef();

const client = ApiBlueprint.make({
  name: 'admin',
  params: defineParams =>
    defineParams({
      api: adminApiRef,
      deps: {
        discoveryApi: discoveryApiRef,
        fetchApi: fetchApiRef,
        parts: entityPartsApiRef,
      },
      factory: deps => new AdminClient(deps),
    }),
});

/** Provides the API of the administration pages as part of the app. */
export const adminApiModule = createFrontendModule({
  pluginId: 'app',
  extensions: [client],
});

const pages = wrapperOfPages(() =>
  import('./adminPages').then(m => m.adminPages),
);

const page = pageWithTabs({
  path: '/admin',
  title: 'Administration',
  icon: <RiShieldUserLine />,
  routeRef: rootRouteRef,
  frame: () => import('./adminPages').then(m => m.AdminFrame),
});

const audit = SubPageBlueprint.make({
  name: 'audit',
  params: {
    path: '',
    title: 'Audit log',
    loader: () => import('./AuditPage').then(({ AuditPage }) => <AuditPage />),
  },
});

const access = SubPageBlueprint.make({
  name: 'access',
  params: {
    path: 'access',
    title: 'Access',
    loader: () =>
      import('./AccessPage').then(({ AccessPage }) => <AccessPage />),
  },
});

const tokens = SubPageBlueprint.make({
  name: 'tokens',
  params: {
    path: 'tokens',
    title: 'Tokens',
    loader: () =>
      import('./TokensPage').then(({ TokensPage }) => <TokensPage />),
  },
});

const webhooks = SubPageBlueprint.make({
  name: 'webhooks',
  params: {
    path: 'webhooks',
    title: 'Webhooks',
    loader: () =>
      import('./WebhooksPage').then(({ WebhooksPage }) => <WebhooksPage />),
  },
});

const health = SubPageBlueprint.make({
  name: 'health',
  params: {
    path: 'health',
    title: 'Health',
    loader: () =>
      import('./HealthPage').then(({ HealthPage }) => <HealthPage />),
  },
});

const adoption = SubPageBlueprint.make({
  name: 'adoption',
  params: {
    path: 'adoption',
    title: 'Adoption',
    loader: () =>
      import('./AdoptionPage').then(({ AdoptionPage }) => <AdoptionPage />),
  },
});

/**
 * Pages on what admins did, who may do what, tokens and webhooks of all parts, and the health and use
 * of the parts.
 */
export const adminPlugin = createFrontendPlugin({
  pluginId: 'admin',
  title: 'Administration',
  routes: { root: rootRouteRef },
  extensions: [pages, page, audit, access, tokens, webhooks, health, adoption],
});
