import { useEffect, useRef, useState } from 'react';
import { useApi } from '@backstage/frontend-plugin-api';
import { type BuildRef, buildsApiRef } from '../api/BuildsApi';
import { LogLines } from '../log/LogLines';

const POLL_MS = 700;
const RETRY_MS = 3_000;

/** A log as far as it was read. */
export interface BuildLog {
  lines: LogLines;
  /** Rises with each part: the lines are one growing object. */
  version: number;
  /** Why the last part could not be read; it is tried again. */
  error: unknown;
  isComplete: boolean;
}

/** Reads the log of a build from its beginning, then as it grows. */
export function useBuildLog({ job, number }: BuildRef): BuildLog {
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
