import { useApi, useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button } from '@backstage/ui';
import { RiDownloadLine } from '@remixicon/react';
import { SendFailure } from '@slipway/app-react';
import { formatSize, Panel, saveFile } from '@slipway/design-system';
import { useMutation } from '@tanstack/react-query';
import { type Artifact, type BuildRef, buildsApiRef } from '../api/BuildsApi';
import { buildsTranslationRef } from '../translation';
import styles from './BuildPage.module.css';

/** Path at which the server has all artifacts of a build in one archive. */
const ARCHIVE = '*zip*/archive.zip';

/**
 * Lists the files that a build stored. Downloads use requests, because plain links do
 * not carry the session.
 */
export function Artifacts(props: { build: BuildRef; artifacts: Artifact[] }) {
  const { build, artifacts } = props;
  const { t } = useTranslationRef(buildsTranslationRef);
  const api = useApi(buildsApiRef);
  const { mutate, error, isPending, variables } = useMutation({
    mutationFn: async (path: string) =>
      saveFile(
        path === ARCHIVE
          ? `${build.job}-${build.number}.zip`.replaceAll('/', '-')
          : path.split('/').at(-1)!,
        await api.downloadArtifact(build, path),
      ),
  });
  if (artifacts.length === 0) {
    return null;
  }
  return (
    <Panel
      title={t('build.artifacts')}
      action={
        artifacts.length > 1 && (
          <Button
            size="small"
            variant="secondary"
            isPending={isPending && variables === ARCHIVE}
            onPress={() => mutate(ARCHIVE)}
          >
            {t('build.allArtifacts')}
          </Button>
        )
      }
    >
      {error && <SendFailure title={t('build.artifactFailed')} error={error} />}
      <ul className={styles.list}>
        {artifacts.map(({ relativePath, size }) => (
          <li key={relativePath}>
            <span className={styles.artifact}>
              <Button
                size="small"
                variant="tertiary"
                iconStart={<RiDownloadLine />}
                isPending={isPending && variables === relativePath}
                onPress={() => mutate(relativePath)}
              >
                {relativePath}
              </Button>
              <span className={styles.quiet}>{formatSize(size)}</span>
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
