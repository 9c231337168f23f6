import { useLocation } from 'react-router-dom';
import type { LogSection } from '../api/BuildsApi';

/** A step of the log, with one of its lines, as in a URL; both counted from 1. */
export interface LogAddress {
  /** 0 for the lines that the server wrote before the first step. */
  step: number;
  line?: number;
}

/** Returns the URL fragment of a step of the log, or of one of its lines. */
export function fragmentOf({ step, line }: LogAddress): string {
  return line === undefined ? `step:${step}` : `step:${step}:${line}`;
}

/** Reads the step and line of the log from the URL. */
export function useLogAddress(): LogAddress | undefined {
  const [, step, line] =
    /^#step:(\d{1,6})(?::([1-9]\d{0,9}))?$/.exec(useLocation().hash) ?? [];
  return step === undefined
    ? undefined
    : {
        step: Number(step),
        line: line === undefined ? undefined : Number(line),
      };
}

/** Returns the number of a section in URLs. */
export function stepNumberOf({ step }: Pick<LogSection, 'step'>): number {
  return step === null ? 0 : step + 1;
}
