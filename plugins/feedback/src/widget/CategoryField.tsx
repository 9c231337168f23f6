import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button, Select } from '@backstage/ui';
import { feedbackTranslationRef } from '../translation';
import type { useCategoryChoice } from './useCategoryChoice';
import styles from './widget.module.css';

/** What it is about; says when the choices are not those of the configuration. */
export function CategoryField(props: {
  choice: ReturnType<typeof useCategoryChoice>;
}) {
  const { categories, value, choose, isGuessed, isReading, retry } =
    props.choice;
  const { t } = useTranslationRef(feedbackTranslationRef);
  return (
    <>
      <Select
        label={t('widget.category')}
        value={value}
        onChange={key => key !== null && choose(String(key))}
        options={categories.map(id => ({ id, label: id }))}
      />
      {isGuessed && (
        <div className={styles.unread}>
          <p role="status">{t('widget.categoriesUnread')}</p>
          <Button
            size="small"
            variant="secondary"
            isPending={isReading}
            onPress={retry}
          >
            {t('widget.readCategories')}
          </Button>
        </div>
      )}
    </>
  );
}
