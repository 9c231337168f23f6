import type { DiscoveryApi, FetchApi } from '@backstage/frontend-plugin-api';
import { ServiceClient } from '@slipway/app-react';
import type { FlagsApi } from './FlagsApi';
import { changeRequestCalls } from './changeRequests';
import { cleanUpCalls } from './cleanUp';
import { flagCalls } from './flagCalls';
import { historyCalls } from './history';
import { lifecycleCalls } from './lifecycle';
import { noticeCalls } from './notices';
import { playgroundCalls } from './playground';
import { registerCalls } from './registers';
import { relationCalls } from './relations';
import { scheduleCalls } from './scheduleCalls';
import { segmentCalls } from './segments';
import { tokenCalls } from './tokens';
import { transferCalls } from './transfer';
import { usageCalls } from './usage';
import { userCalls } from './user';

/** Creates a {@link FlagsApi} over HTTP, through the portal's proxy, with its session. */
export function connectFlagsApi(options: {
  discoveryApi: DiscoveryApi;
  fetchApi: FetchApi;
}): FlagsApi {
  const path = '/feature-flags/api/admin';
  const admin = new ServiceClient({ ...options, path });
  return {
    ...userCalls(admin),
    ...flagCalls(admin),
    ...relationCalls(admin),
    ...playgroundCalls(admin),
    ...changeRequestCalls(admin),
    ...cleanUpCalls(admin),
    ...scheduleCalls(admin),
    ...historyCalls(admin),
    ...lifecycleCalls(admin),
    ...noticeCalls(admin),
    ...registerCalls(admin),
    ...usageCalls(admin),
    ...segmentCalls(admin),
    ...tokenCalls(admin),
    ...transferCalls(admin),
  };
}
