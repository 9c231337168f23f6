import { Fragment, type ReactNode } from 'react';
import type { EntityContentLayoutProps } from '@backstage/plugin-catalog-react/alpha';
import { EntityWarnings } from './EntityWarnings';
import styles from './EntityOverview.module.css';

/** Props of {@link EntityOverview}. */
interface EntityOverviewProps extends EntityContentLayoutProps {
  /** The main content, above the cards of plugins. */
  children?: ReactNode;
}

/**
 * Lays out the overview of an entity: warnings, then the cards of plugins in a wide column, with those
 * about the entity in a narrow one next to it. If there is room for only one column, `children` come
 * first or, without them, the cards about the entity.
 */
export function EntityOverview({ cards, children }: EntityOverviewProps) {
  const main = cards.filter(({ type }) => type !== 'info');
  const aside = cards.filter(({ type }) => type === 'info');
  const facts = aside.length > 0 && (
    <div className={styles.aside}>
      <Cards cards={aside} />
    </div>
  );
  return (
    <>
      <EntityWarnings />
      <div className={styles.columns}>
        {!children && facts}
        {(children || main.length > 0) && (
          <div className={styles.main}>
            {children}
            <Cards cards={main} />
          </div>
        )}
        {children && facts}
      </div>
    </>
  );
}

function Cards({ cards }: EntityContentLayoutProps) {
  return cards.map(({ element }, index) => (
    <Fragment key={element.key ?? index}>{element}</Fragment>
  ));
}
