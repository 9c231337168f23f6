// Paths of group A, relative to `/api`.

export const WORKSPACES = '/ide-launcher/workspaces';
export const DORA = '/delivery-lake/dora-metrics';
export const HISTORY = '/delivery-lake/deployment-history';
export const LOCATIONS = '/catalog/locations';
export const ENTITIES = '/catalog/entities';

/** All routes of group A in the contract, with requests for them. */
export const ROUTES = [
  { method: 'POST', path: WORKSPACES },
  { method: 'GET', path: WORKSPACES },
  { method: 'DELETE', path: `${WORKSPACES}/workspace-x` },
  { method: 'GET', path: DORA },
  { method: 'GET', path: HISTORY },
  { method: 'POST', path: LOCATIONS },
  { method: 'GET', path: ENTITIES },
];
