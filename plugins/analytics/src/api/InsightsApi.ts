import { createApiRef } from '@backstage/frontend-plugin-api';
import type { CallOptions } from '@slipway/app-react';
import type { Dashboard, InsightQuery, SavedInsight } from './InsightQuery';

/** The part of an insight or dashboard that users write. */
export type NewInsight = Pick<SavedInsight, 'name' | 'query'>;
export type NewDashboard = Pick<Dashboard, 'name' | 'tiles'>;

/** The version that a change is based on; the change is rejected if there is a newer one. */
export type Versioned = { id: string; version: number };

/**
 * Queries the analytics service for insights, and saves them. Methods reject like those
 * of `EventsApi`.
 */
export interface InsightsApi {
  /** @param options.mayBeOld - true to accept a cached result that is up to five minutes old. */
  ask(
    projectId: string,
    query: InsightQuery,
    options?: CallOptions & { mayBeOld?: boolean },
  ): Promise<unknown[]>;
  getInsights(
    projectId: string,
    options?: CallOptions,
  ): Promise<SavedInsight[]>;
  createInsight(projectId: string, insight: NewInsight): Promise<SavedInsight>;
  changeInsight(
    projectId: string,
    of: Versioned,
    insight: NewInsight,
  ): Promise<SavedInsight>;
  deleteInsight(projectId: string, of: Versioned): Promise<void>;
  getDashboards(projectId: string, options?: CallOptions): Promise<Dashboard[]>;
  createDashboard(
    projectId: string,
    dashboard: NewDashboard,
  ): Promise<Dashboard>;
  changeDashboard(
    projectId: string,
    of: Versioned,
    dashboard: NewDashboard,
  ): Promise<Dashboard>;
  deleteDashboard(projectId: string, of: Versioned): Promise<void>;
  /** Lists the annotations about the time since a given one, latest first. */
  getAnnotations(
    projectId: string,
    query: { after: string },
    options?: CallOptions,
  ): Promise<Annotation[]>;
  createAnnotation(projectId: string, annotation: NewAnnotation): Promise<void>;
  deleteAnnotation(projectId: string, id: number): Promise<void>;
}

/** A note about a point in time, which charts show. Times are ISO 8601. */
export interface Annotation {
  id: number;
  content: string;
  date_marker: string;
  created_by: string;
  may_change: boolean;
}

/** The part of an annotation that users write. */
export type NewAnnotation = Pick<Annotation, 'content' | 'date_marker'>;

/** {@link InsightsApi} */
export const insightsApiRef = createApiRef<InsightsApi>().with({
  id: 'plugin.analytics.insights',
  pluginId: 'analytics',
});
