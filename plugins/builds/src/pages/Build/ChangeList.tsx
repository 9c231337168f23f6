import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Panel } from '@slipway/design-system';
import type { BuildDetails } from '../../api/types';
import { buildsTranslationRef } from '../../translation';
import { Commit } from './Commit';
import styles from './Build.module.css';

/** Commits that a build is the first of; nothing where none are known. */
export function ChangeList(props: {
  items: BuildDetails['changeSet']['items'];
  repository: string | null | undefined;
}) {
  const { t } = useTranslationRef(buildsTranslationRef);
  if (props.items.length === 0) {
    return null;
  }
  return (
    <Panel title={t('build.changes')}>
      <ul className={styles.list}>
        {props.items.map(({ commitId, msg, author }) => (
          <li key={commitId}>
            <span>{msg}</span>
            <span className={styles.quiet}>
              {author.fullName}{' '}
              <Commit id={commitId} repository={props.repository} />
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
