import { useEffect, useMemo, useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import type { BuildRef } from '../api/BuildsApi';
import { useBuildLog } from '../data/useBuildLog';
import { buildsTranslationRef } from '../translation';
import { findLines } from './findLines';
import { useAddressedLine } from './LineNumber';
import { LogBox } from './LogBox';
import { LogTools } from './LogTools';
import styles from './log.module.css';

/** A log that grows: follows its end until the reader looks elsewhere, and can be searched. */
export function LogViewer({
  build,
  label,
}: {
  build: BuildRef;
  label: string;
}) {
  const { t } = useTranslationRef(buildsTranslationRef);
  const { lines, version, error, isComplete } = useBuildLog(build);
  const addressed = useAddressedLine();
  const [isFollowing, setIsFollowing] = useState(addressed === undefined);
  const [sought, setSought] = useState('');
  const [current, setCurrent] = useState(0);
  const matches = useMemo(
    () => findLines(lines, sought),
    // The lines are one growing object; its version says that it grew.
    // eslint-disable-next-line react-hooks/exhaustive-deps
    [lines, sought, version],
  );
  useEffect(() => setCurrent(0), [sought]);
  useEffect(() => {
    if (addressed !== undefined) {
      setIsFollowing(false);
    }
  }, [addressed]);
  const linked = addressed && addressed - 1 - lines.dropped;
  const isLinkedThere = linked !== undefined && linked < lines.count;
  const onSearch = (text: string) => {
    setSought(text);
    setIsFollowing(text === '');
  };
  const onStep = (by: number) => {
    setIsFollowing(false);
    setCurrent(before => (before + by + matches.length) % matches.length);
  };
  return (
    <div className={styles.viewer}>
      <LogTools
        build={build}
        sought={sought}
        onSearch={onSearch}
        current={current}
        matches={matches.length}
        onStep={onStep}
        isFollowing={isFollowing}
        onFollow={isComplete ? undefined : () => setIsFollowing(true)}
      />
      {lines.dropped > 0 && (
        <p className={styles.note}>
          {t('log.dropped', { lines: String(lines.dropped) })}
        </p>
      )}
      <LogBox
        label={label}
        lines={lines}
        version={version}
        focused={matches[current] ?? (isLinkedThere ? linked : undefined)}
        isFollowing={isFollowing}
        onScrolledAway={() => setIsFollowing(false)}
        onScrolledToEnd={() => setIsFollowing(true)}
      />
      {error !== undefined && (
        <p className={styles.note} role="status">
          {t('log.failed')}
        </p>
      )}
    </div>
  );
}
