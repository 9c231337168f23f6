import {
  configApiRef,
  useApi,
  useTranslationRef,
} from '@backstage/frontend-plugin-api';
import { ButtonLink } from '@backstage/ui';
import { RiExternalLinkLine, RiHammerLine } from '@remixicon/react';
import { ActionButtons, useSuspectedFlags } from '@slipway/app-react';
import type { DeploymentDetails } from '@slipway/plugin-delivery-lake-common';
import { useVersionBefore } from '../queries';
import { useDeliveryLinks } from '../routes';
import { deliveryLakeTranslationRef } from '../translation';
import styles from './DeploymentPanel.module.css';

/**
 * Links to the system that made a deployment, and actions of other plugins for it; if it failed, also
 * for the flags that may be why.
 */
export function DeploymentActions(props: { deployment: DeploymentDetails }) {
  const { deployment } = props;
  const { id, service, version, url, entityRef, commit } = deployment;
  const { t } = useTranslationRef(deliveryLakeTranslationRef);
  const links = useDeliveryLinks();
  const buildPage = useBuildPage();
  const { data: before, isPending } = useVersionBefore(deployment);
  const build = buildPage(url);
  const earlier = buildPage(before?.url ?? null);
  const title = `${service} ${version}`;
  const failed = deployment.failed || deployment.status === 'FAILURE';
  const flags = useSuspectedFlags(
    failed ? (entityRef ?? undefined) : undefined,
    deployment.endTime ?? deployment.startTime,
  );
  return (
    <div className={styles.actions}>
      {build ? (
        <ButtonLink
          href={build}
          variant="secondary"
          size="small"
          iconStart={<RiHammerLine aria-hidden />}
        >
          {t('deployment.build')}
        </ButtonLink>
      ) : (
        url && (
          <ButtonLink
            href={url}
            target="_blank"
            rel="noopener"
            variant="secondary"
            size="small"
            iconEnd={<RiExternalLinkLine aria-hidden />}
          >
            {t('deployment.open')}
          </ButtonLink>
        )
      )}
      {!isPending && (
        <ActionButtons
          className={styles.actions}
          label={t('deployment.actions', { title })}
          subjects={[
            {
              kind: 'deployment',
              title,
              page: links.deployment(id),
              entityRef: entityRef ?? undefined,
              commit: commit.sha || undefined,
              failed,
              before:
                before && earlier
                  ? { title: `${service} ${before.version}`, build: earlier }
                  : undefined,
            },
            ...flags,
          ]}
        />
      )}
    </div>
  );
}

/** Returns a function with the portal's page of a build URL; undefined for other URLs. */
function useBuildPage(): (url: string | null) => string | undefined {
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
