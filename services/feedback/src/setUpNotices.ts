import type { PortalClient } from '@slipway/service-kit';
import { DatabaseNoticeStore } from './notices/DatabaseNoticeStore.ts';
import { SenderNotices } from './notices/SenderNotices.ts';
import { PortalNotifier } from './portal/PortalNotifier.ts';
import type { FeedbackKit } from './setUpService.ts';

const EVERY_MS = 2_000;

/** Tells senders through the portal, where there is a token for it. */
export function setUpNotices(kit: FeedbackKit, portal: PortalClient): void {
  if (kit.config.portalToken === undefined) {
    return;
  }
  const notices = new SenderNotices({
    store: new DatabaseNoticeStore({ database: kit.database }),
    notifier: new PortalNotifier({ portal }),
    logger: kit.logger,
    now: kit.now,
  });
  kit.every({
    name: 'Telling senders',
    everyMs: EVERY_MS,
    work: () => notices.send(),
  });
}
