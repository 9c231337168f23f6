import type { ReactNode } from 'react';
import { stringifyEntityRef } from '@backstage/catalog-model';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { useEntityRefLink } from '@backstage/plugin-catalog-react';
import { Link } from '@backstage/ui';
import { Panel, StatusBadge } from '@slipway/design-system';
import type { FoundLocation } from './importFlow';
import { importPageTranslationRef } from './translation';
import styles from './ImportPage.module.css';

/** Lists descriptors with their entities; entities already in the catalog are links. */
export function LocationList(props: {
  title: string;
  locations: readonly FoundLocation[];
  /** References of entities that are not in the catalog yet, although their descriptors are registered. */
  missing?: ReadonlySet<string>;
  /** Rendered before each URL. */
  mark?(location: FoundLocation): ReactNode;
}) {
  const { t } = useTranslationRef(importPageTranslationRef);
  const { title, locations, missing, mark } = props;
  const linkTo = useEntityRefLink();
  return (
    <Panel title={title} padded={false}>
      <ul className={styles.locations}>
        {locations.map(location => (
          <li key={location.target}>
            <div className={styles.target}>
              {mark?.(location)}
              <span>{location.target}</span>
              {location.exists && (
                <StatusBadge tone="success" label={t('registered')} />
              )}
            </div>
            <ul
              className={styles.entities}
              aria-label={t('entities', { count: location.entities.length })}
            >
              {location.entities.map(entity => {
                const ref = stringifyEntityRef(entity);
                return (
                  <li key={ref}>
                    {location.exists && !missing?.has(ref) ? (
                      <Link href={linkTo(ref)}>{entity.name}</Link>
                    ) : (
                      entity.name
                    )}
                    <span>{entity.kind}</span>
                  </li>
                );
              })}
            </ul>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
