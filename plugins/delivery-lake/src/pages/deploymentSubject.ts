import { configApiRef, useApi } from '@backstage/frontend-plugin-api';
import type { ActionSubject } from '@slipway/app-react';
import type { DeploymentDetails } from '@slipway/plugin-delivery-lake-common';
import { useVersionBefore } from '../around';
import { useServiceTitle } from '../components/EntityTitle';
import { useLinks } from '../routes';

/**
 * Returns a deployment as the subject of actions, such as rolling back to the version before it,
 * which is loaded first.
 */
export function useDeploymentSubject(
  deployment: DeploymentDetails | undefined,
): { subject: ActionSubject | undefined; isLoading: boolean } {
  const links = useLinks();
  const buildPage = useBuildPage();
  const { data: before, isLoading } = useVersionBefore(deployment);
  const service = useServiceTitle(deployment);
  if (!deployment) {
    return { subject: undefined, isLoading };
  }
  const { id, version, entityRef, commit, status } = deployment;
  const earlier = buildPage(before?.url ?? null);
  return {
    isLoading,
    subject: {
      kind: 'deployment',
      title: `${service} ${version}`,
      page: links.deployment(id),
      entityRef: entityRef ?? undefined,
      commit: commit.sha || undefined,
      failed: deployment.failed || status === 'FAILURE',
      before:
        before && earlier
          ? { title: `${service} ${before.version}`, build: earlier }
          : undefined,
    },
  };
}

/**
 * Returns a function that converts a build URL to the build's page in the portal; it returns
 * undefined for other URLs.
 */
export function useBuildPage(): (url: string | null) => string | undefined {
  const config = useApi(configApiRef);
  const portal = (config.getOptionalString('app.baseUrl') ?? '').replace(
    /\/$/,
    '',
  );
  return url => {
    const path = url?.startsWith(`${portal}/`)
      ? url.slice(portal.length)
      : undefined;
    return path && /^\/builds\/[^/]+\/\d+$/.test(path) ? path : undefined;
  };
}
