import {
  type CommonConfig,
  PortalClient,
  type ServiceKit,
} from '@slipway/service-kit';
import type { SpaceMetricsConfig } from './config.ts';
import type { DeliveryLake } from './delivery/DeliveryLake.ts';
import { HttpDeliveryLake } from './delivery/HttpDeliveryLake.ts';
import { CatalogPeopleDirectory } from './people/CatalogPeopleDirectory.ts';
import type { PeopleDirectory } from './people/PeopleDirectory.ts';
import { PortalNotifications } from './portal/PortalNotifications.ts';

/** What the service asks the portal, and tells its users through it. */
export function connectPortal(
  kit: ServiceKit<SpaceMetricsConfig & CommonConfig>,
): {
  lake: DeliveryLake;
  directory: PeopleDirectory;
  notifications: PortalNotifications;
} {
  const { config, now } = kit;
  const portal = new PortalClient({
    baseUrl: kit.portal.baseUrl,
    token: config.portalToken,
  });
  return {
    notifications: new PortalNotifications(portal),
    lake: new HttpDeliveryLake({
      portal,
      cacheSeconds: config.deliveryLake.cacheSeconds,
      now,
    }),
    directory: new CatalogPeopleDirectory({
      portal,
      cacheSeconds: config.catalog.cacheSeconds,
      timeZone: config.timeZone,
      logger: kit.logger,
      now,
    }),
  };
}
