import { Skeleton } from '@backstage/ui';
import { Skeletons } from '@slipway/design-system';
import styles from './MetricTiles.module.css';

/** Stands where the tiles will be. */
export function MetricTilesSkeleton({ label }: { label: string }) {
  return (
    <Skeletons label={label}>
      <div className={styles.groups}>
        <div className={styles.four}>
          {[0, 1, 2, 3].map(tile => (
            <Skeleton key={tile} width="100%" height={168} />
          ))}
        </div>
        <div className={styles.beside}>
          {[0, 1].map(tile => (
            <Skeleton key={tile} width="100%" height={112} />
          ))}
        </div>
      </div>
    </Skeletons>
  );
}
