import { createApiRef } from '@backstage/frontend-plugin-api';
import type { ChangeRequestCalls } from './changeRequests';
import type { CleanUpCalls } from './cleanUp';
import type { FlagCalls } from './flagCalls';
import type { HistoryCalls } from './history';
import type { LifecycleCalls } from './lifecycle';
import type { NoticeCalls } from './notices';
import type { PlaygroundCalls } from './playground';
import type { RegisterCalls } from './registers';
import type { RelationCalls } from './relations';
import type { ScheduleCalls } from './scheduleCalls';
import type { SegmentCalls } from './segments';
import type { TokenCalls } from './tokens';
import type { TransferCalls } from './transfer';
import type { UsageCalls } from './usage';
import type { UserCalls } from './user';

/**
 * The admin API of the feature-flag service, for the signed-in user. Every method rejects with a
 * `ResponseError` if the response is not 2xx, and with a `TypeError` without a response.
 */
export interface FlagsApi
  extends
    UserCalls,
    FlagCalls,
    RelationCalls,
    PlaygroundCalls,
    ChangeRequestCalls,
    CleanUpCalls,
    ScheduleCalls,
    HistoryCalls,
    LifecycleCalls,
    NoticeCalls,
    RegisterCalls,
    UsageCalls,
    SegmentCalls,
    TokenCalls,
    TransferCalls {}

/** The reference of the {@link FlagsApi}. */
export const flagsApiRef = createApiRef<FlagsApi>().with({
  id: 'plugin.feature-flags.client',
  pluginId: 'feature-flags',
});
