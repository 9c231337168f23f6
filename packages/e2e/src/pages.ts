/** A page of the portal, as one list for all checks that every page has to pass. */
export interface PortalPage {
  /**
   * Path and query within the portal. A word in braces is a placeholder for an object that the
   * platform names, and is replaced by its address: `{build}` is the build that failed.
   */
  path: string;
  /** The user who opens it; undefined if nobody is signed in. */
  as?: 'ada' | 'grace';
}

const COMPONENT = '/catalog/demo/component/checkout-api';
const API = '/catalog/default/api/delivery-lake';
const EVENTS = '/catalog/demo/api/order-events';
const SYSTEM = '/catalog/demo/system/checkout';
const TEAM = '/catalog/demo/group/checkout';

/**
 * Every page of the portal, as Ada, a platform admin, sees it. `pages.spec.ts` fails if the sidebar or
 * tabs of a page link to a page that is not listed; detail pages must be added by hand.
 */
const paths: readonly string[] = [
  '/',
  '/catalog',
  '/catalog?q=nowhere',
  COMPONENT,
  `${COMPONENT}/builds`,
  `${COMPONENT}/delivery`,
  `${COMPONENT}/flags`,
  `${COMPONENT}/workspaces`,
  `${COMPONENT}/feedback`,
  `${COMPONENT}/analytics`,
  `${COMPONENT}/apis`,
  `${COMPONENT}/dependencies`,
  '/catalog/demo/domain/harbour-goods',
  SYSTEM,
  `${SYSTEM}/builds`,
  `${SYSTEM}/delivery`,
  `${SYSTEM}/flags`,
  `${SYSTEM}/workspaces`,
  `${SYSTEM}/feedback`,
  API,
  `${API}/definition`,
  `${API}/dependencies`,
  EVENTS,
  `${EVENTS}/definition`,
  `${EVENTS}/dependencies`,
  '/catalog/demo/api/mobile-graph/definition',
  '/catalog/demo/api/ranking/definition',
  '/catalog/demo/resource/billing-database',
  '/catalog/default/resource/database',
  TEAM,
  `${TEAM}/builds`,
  `${TEAM}/delivery`,
  `${TEAM}/flags`,
  `${TEAM}/workspaces`,
  `${TEAM}/feedback`,
  `${TEAM}/experience`,
  '/catalog/default/user/ada',
  '/catalog/demo/component/none',
  '/api-docs',
  '/catalog-graph',
  '/catalog-graph?rootEntityRefs[]=component:demo/checkout-api&maxDepth=1',
  '/catalog-import',
  '/search',
  '/search?query=checkout',
  '/notifications',
  '/settings/general',
  '/settings/notifications',
  '/nowhere',
  '/workspaces',
  '/workspaces?create=1',
  '/workspaces/{workspace}',
  '/workspaces/none',
  '/builds',
  '/builds/-/agents',
  '/builds/-/secrets',
  '/builds/-/usage',
  '/builds/demo-checkout-api',
  '/builds/demo-checkout-api/{build}',
  '/builds/none',
  '/delivery',
  '/delivery/deployments',
  '/delivery/deployments/{deployment}',
  '/delivery/incidents',
  '/delivery/incidents/{incident}',
  '/delivery/unmatched',
  '/delivery/connections',
  '/flags',
  '/flags/flag/demo.gift-cards',
  '/flags/segments',
  '/flags/playground',
  '/flags/playground?environments=development%2Cproduction&userId=ada%2C+grace',
  '/flags/changes',
  '/flags/environments',
  '/flags/projects',
  '/flags/applications',
  '/flags/api-access',
  '/flags/clean-up',
  '/flags/notices',
  '/experience',
  '/experience/friction',
  '/experience/pulse',
  '/experience/task-load',
  '/experience/your-data',
  '/analytics',
  '/analytics/query',
  '/analytics/query?language=sql',
  '/analytics/insights',
  '/analytics/dashboards',
  '/analytics/web',
  '/analytics/users',
  '/analytics/cohorts',
  '/analytics/definitions',
  '/analytics/health',
  '/analytics/connect',
  '/analytics/groups',
  '/analytics/destinations',
  '/analytics/settings',
  '/feedback/mine',
  '/feedback/voting',
  '/feedback/triage',
  '/feedback/triage/{feedback}',
  '/feedback/statistics',
  '/feedback/issues/{issue}',
  '/admin',
  '/admin/access',
  '/admin/access?show=roles',
  '/admin/tokens',
  '/admin/webhooks',
  '/admin/health',
  '/admin/adoption',
];

/** Every page of the portal. */
export const portalPages: readonly PortalPage[] = [
  { path: '/' },
  { path: '/', as: 'grace' },
  ...paths.map(path => ({ path, as: 'ada' as const })),
];

/** Returns the name of a page in the names of files. */
export function nameOfPage({ path, as }: PortalPage): string {
  const words = path
    .replace(/^\/|[{}[\]]/g, '')
    .replace(/[^\w.-]+/g, '_')
    .replace(/^$/, 'home');
  return as === 'ada' ? words : `${words}-${as ?? 'signed-out'}`;
}
