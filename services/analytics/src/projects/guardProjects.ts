import type { ServiceApp } from '@slipway/service-kit';
import type { Projects } from './Projects.ts';

/**
 * Makes every route with `:projectId` check that the caller may read the project, after
 * authentication and before the body is read, so that other callers do not learn what a
 * valid request looks like.
 */
export function guardProjects(
  app: ServiceApp,
  projects: Pick<Projects, 'assertMayRead'>,
): void {
  app.addHook('preParsing', async ({ params, caller }) => {
    const { projectId } = (params ?? {}) as { projectId?: string };
    if (projectId !== undefined && caller.kind !== 'anonymous') {
      await projects.assertMayRead(caller, projectId);
    }
  });
}
