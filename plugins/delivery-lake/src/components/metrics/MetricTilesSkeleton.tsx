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
            <TileSkeleton key={tile} height={148} />
          ))}
        </div>
        <div className={styles.beside}>
          {[0, 1].map(tile => (
            <TileSkeleton key={tile} height={84} />
          ))}
        </div>
      </div>
    </Skeletons>
  );
}

function TileSkeleton({ height }: { height: number }) {
  return (
    <div className={styles.skeleton} style={{ minHeight: height }}>
      <Skeleton width="56%" height={14} />
      <Skeleton width="40%" height={24} />
      <Skeleton width="72%" height={14} />
    </div>
  );
}
