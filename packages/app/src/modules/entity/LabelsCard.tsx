import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { useEntity } from '@backstage/plugin-catalog-react';
import { Panel } from '@slipway/design-system';
import { entityTranslationRef } from './translation';
import styles from './AboutCard.module.css';

/** Lists the labels of an entity's descriptor. */
export function LabelsCard() {
  const { t } = useTranslationRef(entityTranslationRef);
  const { labels = {} } = useEntity().entity.metadata;
  return (
    <Panel title={t('labels.title')}>
      <dl className={styles.labels}>
        {Object.entries(labels).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}
