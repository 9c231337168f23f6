import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button } from '@backstage/ui';
import type { PageOf } from '../api/types';
import { feedbackTranslationRef } from '../translation';
import styles from './components.module.css';

/** Turns the pages of a list; nothing where there is one. */
export function Pager(props: {
  of: Pick<PageOf<unknown>, 'page' | 'perPage' | 'total'>;
  onChange(page: number): void;
}) {
  const { page, perPage, total } = props.of;
  const { t } = useTranslationRef(feedbackTranslationRef);
  const pages = Math.ceil(total / perPage);
  if (pages <= 1 && page === 1) {
    return null;
  }
  return (
    <nav className={styles.pager} aria-label={t('page.title')}>
      <Button
        size="small"
        variant="secondary"
        isDisabled={page <= 1}
        onPress={() => props.onChange(page - 1)}
      >
        {t('list.previous')}
      </Button>
      <span>
        {t('list.position', { page: String(page), pages: String(pages) })}
      </span>
      <Button
        size="small"
        variant="secondary"
        isDisabled={page >= pages}
        onPress={() => props.onChange(page + 1)}
      >
        {t('list.next')}
      </Button>
    </nav>
  );
}
