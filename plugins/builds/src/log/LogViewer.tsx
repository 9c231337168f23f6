import { useEffect, useMemo, useRef, useState } from 'react';
import { useApi, useTranslationRef } from '@backstage/frontend-plugin-api';
import { type BuildRef, buildsApiRef } from '../api/BuildsApi';
import { buildsTranslationRef } from '../translation';
import { LogBox, useAddressedLine } from './LogBox';
import { findLines, LogLines } from './LogLines';
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

const POLL_MS = 700;
const RETRY_MS = 3_000;

/** A log as far as it was read. */
interface BuildLog {
  lines: LogLines;
  /** Rises with each part: the lines are one growing object. */
  version: number;
  /** Why the last part could not be read; it is tried again. */
  error: unknown;
  isComplete: boolean;
}

/** Reads the log of a build from its beginning, then as it grows. */
function useBuildLog({ job, number }: BuildRef): BuildLog {
  const api = useApi(buildsApiRef);
  const lines = useRef(new LogLines());
  const [state, setState] = useState<Omit<BuildLog, 'lines'>>({
    version: 0,
    error: undefined,
    isComplete: false,
  });
  useEffect(() => {
    const aborter = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let start = 0;
    lines.current = new LogLines();
    const read = async () => {
      try {
        const part = await api.getLog({ job, number }, start, aborter);
        lines.current.add(part.text);
        const isStill = part.end === start;
        start = part.end;
        setState(({ version }) => ({
          version: version + 1,
          error: undefined,
          isComplete: !part.more,
        }));
        if (part.more) {
          timer = setTimeout(read, isStill ? POLL_MS : 50);
        }
      } catch (error) {
        if (!aborter.signal.aborted) {
          setState(before => ({ ...before, error }));
          timer = setTimeout(read, RETRY_MS);
        }
      }
    };
    void read();
    return () => {
      aborter.abort();
      clearTimeout(timer);
    };
  }, [api, job, number]);
  return { lines: lines.current, ...state };
}
