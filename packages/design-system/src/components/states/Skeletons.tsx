import { ReactNode, useEffect, useState } from 'react';
import { Skeleton, VisuallyHidden } from '@backstage/ui';
import './Skeletons.css';

/** Loading shorter than this shows nothing: a flash reads as a fault. */
const DELAY_MS = 150;

/** Props of {@link Skeletons}. */
export interface SkeletonsProps {
  /** What is loading, for those who do not see it. */
  label: string;
  /** Skeletons in the layout that the content will have. */
  children: ReactNode;
}

/** Shows skeletons once loading has taken 150 ms. */
export function Skeletons({ label, children }: SkeletonsProps) {
  const [isLate, setIsLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsLate(true), DELAY_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div role="status" aria-busy="true">
      <VisuallyHidden>{label}</VisuallyHidden>
      {isLate && <div aria-hidden>{children}</div>}
    </div>
  );
}

/** Stands for a list: rows of 40 px under a head. */
export function LoadingRows(props: { label: string; rows?: number }) {
  const { label, rows = 5 } = props;
  return (
    <Skeletons label={label}>
      {Array.from({ length: rows }, (_, row) => (
        <div className="slw-LoadingRow" key={row}>
          <Skeleton width="24%" height={14} />
          <Skeleton width="12%" height={14} />
          <Skeleton width="32%" height={14} />
          <Skeleton width="10%" height={14} />
        </div>
      ))}
    </Skeletons>
  );
}

/** Stands for a card or chart. `height` in pixels. */
export function LoadingBlock(props: { label: string; height: number }) {
  return (
    <Skeletons label={props.label}>
      <div className="slw-LoadingBlock">
        <Skeleton width="100%" height={props.height} />
      </div>
    </Skeletons>
  );
}
