import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Link } from '@backstage/ui';
import { QueryTable } from '@slipway/app-react';
import { EmptyState, Panel, RelativeTime } from '@slipway/design-system';
import { useReferences } from '../../queries/cleanUp';
import { flagsTranslationRef } from '../../translation';
import styles from './Flag.module.css';

/** A panel of the lines of code that name a flag, with links to them. */
export function ReferencesPanel({ name }: { name: string }) {
  const { t } = useTranslationRef(flagsTranslationRef);
  return (
    <Panel title={t('references.title')} padded={false}>
      <QueryTable
        isPlain
        label={t('references.title')}
        query={useReferences(name)}
        rowsOf={references => references}
        failed={t('references.failed')}
        loading={t('references.loading')}
        empty={
          <div className={styles.inset}>
            <EmptyState
              title={t('references.emptyTitle')}
              description={t('references.emptyDescription')}
            />
          </div>
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
            cell: ({ repository }) => new URL(repository).pathname.slice(1),
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
    </Panel>
  );
}
