import { useLocation } from 'react-router-dom';
import type { LogSection } from '../api/BuildsApi';

/** A step of the log that an address names, with one of its lines; both counted from 1. */
export interface LogAddress {
  /** 0 for what the server says before all steps. */
  step: number;
  line?: number;
}

/** The fragment of an address that leads to a step of the log, or to one of its lines. */
export function fragmentOf({ step, line }: LogAddress): string {
  return line === undefined ? `step:${step}` : `step:${step}:${line}`;
}

/** What the address names of the log. */
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

/** The number of a section in addresses. */
export function stepNumberOf({ step }: Pick<LogSection, 'step'>): number {
  return step === null ? 0 : step + 1;
}
