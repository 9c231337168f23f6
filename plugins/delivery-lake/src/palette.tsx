import { identityApiRef } from '@backstage/frontend-plugin-api';
import { permissionApiRef } from '@backstage/plugin-permission-react';
import { RiAlarmWarningLine, RiCheckLine } from '@remixicon/react';
import type {
  PaletteItem,
  PaletteSource,
  SourceContext,
} from '@slipway/app-react';
import { formatRelative } from '@slipway/design-system';
import {
  deliveryIncidentsPermission,
  type IncidentDetails,
} from '@slipway/plugin-delivery-lake-common';
import { deliveryLakeApiRef } from './api/DeliveryLakeApi';
import { deploymentRouteRef, incidentRouteRef } from './routes';
import { deliveryLakeTranslationRef, type Translate } from './translation';

const LIMIT = 10;
/** Number of days to search; older deployments and incidents can be found on their pages. */
const DAYS = 180;
const DAY_MS = 86_400_000;

/** Provides a search for deployments and incidents, and an action to resolve incidents. */
export function deliveryPalette(context: SourceContext): PaletteSource {
  const { api, href, texts } = context;

  /** Returns whether the user owns the service of an incident, or may resolve all. */
  const mayResolve = async ({ team }: IncidentDetails) => {
    const [{ ownershipEntityRefs }, { result }] = await Promise.all([
      api(identityApiRef).getBackstageIdentity(),
      api(permissionApiRef).authorize({
        permission: deliveryIncidentsPermission,
      }),
    ]);
    return (
      result === 'ALLOW' ||
      ownershipEntityRefs.some(ref => teamOf(ref) === team)
    );
  };

  const resolve = (
    { id, title, resolvedAt }: IncidentDetails,
    t: Translate,
  ): PaletteItem[] =>
    resolvedAt === null
      ? [
          {
            id: `resolve:${id}`,
            title: t('palette.resolve'),
            kind: t('palette.action'),
            icon: <RiCheckLine />,
            act: {
              type: 'run',
              async run() {
                const client = api(deliveryLakeApiRef);
                await client.resolveIncident(id);
                return {
                  title: t('palette.resolved', { title }),
                  undo: () => client.reopenIncident(id),
                };
              },
            },
          },
        ]
      : [];

  return {
    async actionsFor({ kind, page }, call) {
      const [, id] = /\/incidents\/([^/?]+)/.exec(page) ?? [];
      if (kind !== 'incident' || id === undefined) {
        return [];
      }
      const [incident, t] = await Promise.all([
        api(deliveryLakeApiRef).getIncident(decodeURIComponent(id), call),
        texts(deliveryLakeTranslationRef),
      ]);
      return (await mayResolve(incident)) ? resolve(incident, t) : [];
    },

    async search(q, call) {
      const client = api(deliveryLakeApiRef);
      const startDate = new Date(Date.now() - DAYS * DAY_MS)
        .toISOString()
        .slice(0, 10);
      const query = { q, startDate, limit: LIMIT };
      const [{ deployments }, { incidents }, t] = await Promise.all([
        client.listDeployments(query, call),
        client.listIncidents(query, call),
        texts(deliveryLakeTranslationRef),
      ]);
      return [
        ...incidents.flatMap(incident => {
          const { id, title, service, startedAt, resolvedAt } = incident;
          const page = href(incidentRouteRef, { incidentId: id });
          return page === undefined
            ? []
            : [
                {
                  id,
                  title,
                  kind: t('palette.incident'),
                  detail: [
                    service,
                    t(resolvedAt ? 'incidents.resolved' : 'incidents.open'),
                    formatRelative(Date.parse(startedAt), Date.now()),
                  ]
                    .filter(Boolean)
                    .join(' · '),
                  icon: <RiAlarmWarningLine />,
                  act: { type: 'open' as const, href: page },
                },
              ];
        }),
        ...deployments.flatMap(deployment => {
          const { id, service, version, environment, status } = deployment;
          const page = href(deploymentRouteRef, { deploymentId: id });
          return page === undefined
            ? []
            : [
                {
                  id,
                  title: `${service} ${version}`,
                  kind: t('palette.deployment'),
                  detail: [
                    environment,
                    t(`status.${status}`),
                    formatRelative(
                      Date.parse(deployment.startTime),
                      Date.now(),
                    ),
                  ].join(' · '),
                  keywords: [
                    deployment.commit.message,
                    deployment.commit.sha,
                    deployment.triggeredBy,
                  ],
                  act: { type: 'open' as const, href: page },
                },
              ];
        }),
      ];
    },
  };
}

/** Returns the lake's name of a group: without the default namespace. */
function teamOf(ref: string): string {
  return ref.replace(/^group:default\//, '');
}
