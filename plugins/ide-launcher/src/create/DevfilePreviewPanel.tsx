import { useApi, useTranslationRef } from '@backstage/frontend-plugin-api';
import { Alert, Button, Text } from '@backstage/ui';
import { useDebounced, useErrorWords } from '@slipway/app-react';
import { LoadingBlock } from '@slipway/design-system';
import type {
  DevfilePreview,
  PreviewedRepository,
} from '@slipway/plugin-ide-launcher-common';
import { useQuery } from '@tanstack/react-query';
import { ideLauncherApiRef } from '../api/IdeLauncherApi';
import { queryKeys } from '../queries';
import { ideLauncherTranslationRef } from '../translation';
import { checkDevfileUrl } from './useCreateForm';
import styles from './create.module.css';

/**
 * Shows the result of reading the devfile: its errors, or its contents and unsupported parts.
 */
export function DevfilePreviewPanel(props: {
  isChecking: boolean;
  preview: DevfilePreview | undefined;
  error: Error | null;
  onRetry(): void;
}) {
  const { isChecking, preview, error, onRetry } = props;
  const { t } = useTranslationRef(ideLauncherTranslationRef);
  const errorWords = useErrorWords();
  const retry = (
    <Button
      variant="secondary"
      size="small"
      isPending={isChecking}
      onPress={onRetry}
    >
      {t('preview.retry')}
    </Button>
  );
  return (
    <div role="status" aria-live="polite" className={styles.panel}>
      {isChecking && !preview && (
        <LoadingBlock label={t('preview.checking')} height={56} />
      )}
      {!isChecking && error && (
        <Alert
          status="danger"
          icon
          title={t('preview.failed')}
          description={errorWords(error)}
          customActions={retry}
        />
      )}
      {preview && !preview.valid && (
        <Alert
          status="danger"
          icon
          title={
            preview.issues.some(issue => issue.path)
              ? t('preview.invalid', { count: preview.issues.length })
              : t('preview.failed')
          }
          description={<Issues preview={preview} />}
          customActions={retry}
        />
      )}
      {preview?.valid && preview.devfile && (
        <DevfileSummary
          devfile={preview.devfile}
          repository={preview.repository}
        />
      )}
      {preview && preview.warnings.length > 0 && (
        <Alert
          status="warning"
          icon
          title={t('preview.warnings')}
          description={
            <ul className={styles.list}>
              {preview.warnings.map(warning => (
                <li key={warning}>{warning}</li>
              ))}
            </ul>
          }
        />
      )}
    </div>
  );
}

function Issues({ preview }: { preview: DevfilePreview }) {
  return (
    <ul className={styles.list}>
      {preview.issues.map(({ path, message }) => (
        <li key={`${path}:${message}`}>
          {path && (
            <>
              <code>{path}</code>:{' '}
            </>
          )}
          {message}
        </li>
      ))}
    </ul>
  );
}

/** Summarizes a valid devfile in a few lines. */
function DevfileSummary(props: {
  devfile: NonNullable<DevfilePreview['devfile']>;
  repository: PreviewedRepository | null;
}) {
  const { devfile, repository } = props;
  const { t } = useTranslationRef(ideLauncherTranslationRef);
  const facts = [
    { label: t('preview.projects'), values: devfile.projects },
    {
      label: t('preview.components'),
      values: devfile.components.map(({ name, type }) => `${name} (${type})`),
    },
    {
      label: t('preview.commands'),
      values: devfile.commands.map(command => command.label),
    },
    {
      label: t('preview.endpoints'),
      values: devfile.endpoints.map(
        ({ name, targetPort }) => `${name} (${targetPort})`,
      ),
    },
  ].filter(({ values }) => values.length > 0);
  const name = devfile.version
    ? `${devfile.name} ${devfile.version}`
    : devfile.name;
  return (
    <section className={styles.summary} aria-label={t('preview.label')}>
      {repository && <RepositorySummary repository={repository} />}
      <Text as="p" weight={repository ? 'regular' : 'bold'}>
        {t('preview.valid', { name })}
      </Text>
      <Text as="p" variant="body-small" color="secondary">
        {t('preview.schema', { version: devfile.schemaVersion })}
        {devfile.description && ` · ${devfile.description}`}
      </Text>
      {facts.length > 0 && (
        <dl className={styles.facts}>
          {facts.map(({ label, values }) => (
            <Fact key={label} label={label} values={values} />
          ))}
        </dl>
      )}
    </section>
  );
}

/** Shows which repository was found, and which devfile its workspace will use. */
function RepositorySummary(props: { repository: PreviewedRepository }) {
  const { devfile, name, revision } = props.repository;
  const { t } = useTranslationRef(ideLauncherTranslationRef);
  return (
    <>
      <Text as="p" weight="bold">
        {revision
          ? t('preview.repositoryAt', { name, revision })
          : t('preview.repository', { name })}
      </Text>
      <Text as="p">
        {devfile
          ? t('preview.repositoryDevfile', { file: devfile.file })
          : t('preview.repositoryDefault')}
      </Text>
    </>
  );
}

function Fact(props: { label: string; values: string[] }) {
  return (
    <>
      <dt>{props.label}</dt>
      <dd>{props.values.join(', ')}</dd>
    </>
  );
}

/** Short enough to feel immediate, long enough not to read a devfile per keystroke. */
const TYPING_PAUSE_MS = 400;

/**
 * Reads the devfile or the repository while its address is typed; aborts outdated reads. For a
 * repository, the devfile at the chosen revision is read.
 */
export function useDevfilePreview(devfileUrl: string, chosenRevision: string) {
  const api = useApi(ideLauncherApiRef);
  const typed = devfileUrl.trim();
  const debounced = useDebounced(typed, TYPING_PAUSE_MS);
  const typedRevision = chosenRevision.trim();
  const revision = useDebounced(typedRevision, TYPING_PAUSE_MS);
  const isReadable = checkDevfileUrl(debounced) === undefined;
  const query = useQuery({
    queryKey: queryKeys.preview(debounced, revision),
    queryFn: ({ signal }) =>
      api.previewDevfile(debounced, { revision, signal }),
    enabled: isReadable,
    // Users fix the file while looking at its errors, so a cached result must not be shown.
    staleTime: 0,
    gcTime: 0,
    retry: false,
    refetchInterval: false,
    refetchOnWindowFocus: true,
  });
  const isTyping = typed !== debounced || typedRevision !== revision;
  const isAsked = isReadable && checkDevfileUrl(typed) === undefined;
  return {
    isChecking: isAsked && (isTyping || query.isFetching),
    preview: isAsked && !isTyping ? query.data : undefined,
    error: isAsked && !isTyping ? query.error : null,
    onRetry: () => void query.refetch(),
  };
}
