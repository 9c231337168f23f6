import { RiDashboardLine, RiLineChartLine } from '@remixicon/react';
import type {
  PaletteItem,
  PaletteSource,
  SourceContext,
} from '@slipway/app-react';
import { eventsApiRef, type Project } from './api/EventsApi';
import { insightsApiRef } from './api/InsightsApi';
import { rootRouteRef } from './routes';
import { analyticsTranslationRef } from './translation';

/** Maximum number of projects whose dashboards and insights are listed. */
const MAX_PROJECTS = 10;

/** Palette source for the dashboards and saved insights of all projects. */
export function analyticsPalette(context: SourceContext): PaletteSource {
  const { api, href, texts } = context;
  return {
    async list(call) {
      const root = href(rootRouteRef);
      if (root === undefined) {
        return [];
      }
      const [t, { projects }] = await Promise.all([
        texts(analyticsTranslationRef),
        api(eventsApiRef).getProjects(call),
      ]);
      const itemsOf = async ({ id: projectId, name: project }: Project) => {
        const saved = api(insightsApiRef);
        const [dashboards, insights] = await Promise.all([
          saved.getDashboards(projectId, call),
          saved.getInsights(projectId, call),
        ]);
        const itemOf = (
          { id, name }: { id: string; name: string },
          what: 'dashboard' | 'insight',
        ): PaletteItem => ({
          id: `${what}:${projectId}:${id}`,
          title: name,
          kind: t(`palette.${what}`),
          detail: project,
          keywords: [projectId],
          icon:
            what === 'dashboard' ? <RiDashboardLine /> : <RiLineChartLine />,
          act: {
            type: 'open',
            href: `${root}/${what}s?${new URLSearchParams({
              project: projectId,
              [what]: id,
            })}`,
          },
        });
        return [
          ...dashboards.map(each => itemOf(each, 'dashboard')),
          ...insights.map(each => itemOf(each, 'insight')),
        ];
      };
      const found = await Promise.all(
        projects.slice(0, MAX_PROJECTS).map(itemsOf),
      );
      return found.flat();
    },
  };
}
