import {
  iconsApiRef,
  useApi,
  useTranslationRef,
} from '@backstage/frontend-plugin-api';
import { useEntity } from '@backstage/plugin-catalog-react';
import { Link } from '@backstage/ui';
import { RiExternalLinkLine } from '@remixicon/react';
import { safeAddress } from '@slipway/app-react';
import { Panel } from '@slipway/design-system';
import { entityTranslationRef } from './translation';
import styles from './AboutCard.module.css';

/** Lists the links of an entity's descriptor. */
export function LinksCard() {
  const { t } = useTranslationRef(entityTranslationRef);
  const icons = useApi(iconsApiRef);
  const { links = [] } = useEntity().entity.metadata;
  return (
    <Panel title={t('links.title')}>
      <ul className={styles.linkList}>
        {links.map(({ url, title, icon }) => (
          <li key={url}>
            <Link href={safeAddress(url)} target="_blank">
              {(icon && icons.icon(icon)) || <RiExternalLinkLine aria-hidden />}
              {title ?? url}
            </Link>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

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
