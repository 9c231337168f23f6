import { useApiHolder } from '@backstage/frontend-plugin-api';
import {
  CATALOG_FILTER_EXISTS,
  catalogApiRef,
} from '@backstage/plugin-catalog-react';
import {
  changeText,
  type ChartMark,
  useChangesOf,
  useServiceChange,
  useServiceQuery,
} from '@slipway/app-react';
import { insightsApiRef, type NewAnnotation } from '../api/InsightsApi';
import { localTimesIn } from '../insights/valueNames';

/** The annotation that lists the projects with a component's events. */
const ANNOTATION = 'slipway.dev/analytics-project';
const DAYS = 90;
const DAY_MS = 86_400_000;

/** Queries the annotations of a project about the last 90 days. */
export function useAnnotations(projectId: string | undefined) {
  const today = Math.floor(Date.now() / DAY_MS);
  const after = new Date((today - DAYS) * DAY_MS).toISOString();
  return useServiceQuery(
    insightsApiRef,
    ['annotations', projectId, after],
    (api, call) => api.getAnnotations(projectId!, { after }, call),
    { enabled: projectId !== undefined },
  );
}

export function useCreateAnnotation(projectId: string) {
  return useServiceChange(insightsApiRef, (api, annotation: NewAnnotation) =>
    api.createAnnotation(projectId, annotation),
  );
}

export function useDeleteAnnotation(projectId: string) {
  return useServiceChange(insightsApiRef, (api, id: number) =>
    api.deleteAnnotation(projectId, id),
  );
}

/**
 * Returns the marks in a project's charts: its annotations, and the deployments and flag
 * changes of the components that send its events.
 */
export function useMarks(projectId: string | undefined): ChartMark[] {
  const { data: annotations = [] } = useAnnotations(projectId);
  const changes = useChangesOf({
    catalog: useApiHolder().get(catalogApiRef),
    exists: CATALOG_FILTER_EXISTS,
    annotation: ANNOTATION,
    isNamed: name => name === projectId,
    kinds: ['deployment', 'flag'],
    days: DAYS,
  });
  return [
    ...annotations.map(({ date_marker: at, content }) => ({
      at: Date.parse(at),
      text: content,
    })),
    ...changes.map(change => ({
      at: Date.parse(change.at),
      text: changeText(change),
    })),
  ];
}

/** Converts marks to the local time of a zone, in the format of the buckets of trends. */
export function marksIn(
  zone: string,
  marks: readonly ChartMark[],
): ChartMark<string>[] {
  const format = localTimesIn(zone);
  return marks.map(({ at, text }) => ({ at: format.format(at), text }));
}
