import type { Build } from '../builds/Build.ts';

/** Where the process that runs builds says what happens. */
export interface WorkerLogger {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

/** A build as logs name it. */
export function nameOf({ job, number }: Build): string {
  return `${job} #${number}`;
}
