import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Link } from '@backstage/ui';
import { QueryTable } from '@slipway/app-react';
import { EmptyState, Panel, RelativeTime } from '@slipway/design-system';
import type { CodeReference } from '../../api/cleanUp';
import { useReferences } from '../../queries/flags';
import { flagsTranslationRef } from '../../translation';
import styles from './Flag.module.css';

/** Maximum number of lines that a scan stores for a flag and a repository. */
const MAX_PER_REPOSITORY = 100;

/** A panel of the lines of code that name a flag, with links to them. */
export function ReferencesPanel({ name }: { name: string }) {
  const { t } = useTranslationRef(flagsTranslationRef);
  const query = useReferences(name);
  const full = fullRepositories(query.data ?? []);
  return (
    <Panel title={t('references.title')} padded={false}>
      <QueryTable
        isPlain
        label={t('references.title')}
        query={query}
        rowsOf={references => references}
        failed={t('references.failed')}
        loading={t('references.loading')}
        empty={
          <EmptyState
            level={3}
            title={t('references.emptyTitle')}
            description={t('references.emptyDescription')}
          />
        }
        rowId={({ url }) => url}
        columns={[
          {
            id: 'line',
            label: t('references.line'),
            text: ({ path, line }) => `${path}:${line}`,
            cell: ({ path, line, url, text }) => (
              <span className={styles.change}>
                <Link href={url} target="_blank">
                  {`${path}:${line}`}
                </Link>
                <br />
                <code>{text}</code>
              </span>
            ),
          },
          {
            id: 'repository',
            label: t('references.repository'),
            from: 'sm',
            width: 152,
            cell: ({ repository }) => nameOf(repository),
          },
          {
            id: 'scanned',
            label: t('references.scanned'),
            from: 'md',
            width: 120,
            cell: ({ scannedAt }) => <RelativeTime value={scannedAt} />,
          },
        ]}
      />
      {full.length > 0 && (
        <p className={styles.inset}>
          {t('references.more', {
            shown: String(MAX_PER_REPOSITORY),
            repositories: full.map(nameOf).join(', '),
          })}
        </p>
      )}
    </Panel>
  );
}

/** Returns the repositories that may contain more lines than were stored. */
function fullRepositories(references: readonly CodeReference[]): string[] {
  const counts = new Map<string, number>();
  for (const { repository } of references) {
    counts.set(repository, (counts.get(repository) ?? 0) + 1);
  }
  return [...counts]
    .filter(([, count]) => count >= MAX_PER_REPOSITORY)
    .map(([repository]) => repository);
}

function nameOf(repository: string): string {
  return new URL(repository).pathname.slice(1);
}
