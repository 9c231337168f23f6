const VARIABLE = 'SLIPWAY_BUILD_MARK';
const MARK = new RegExp(`(?:^|\\0)${VARIABLE}=([^:;\\0]+):(\\d+);`);

/** Whose a process is. */
export interface BuildMark {
  worker: string;
  buildId: number;
}

/** The variable that every process of a build carries, wherever it moved to. */
export function markEnvironment({
  worker,
  buildId,
}: BuildMark): Record<string, string> {
  return { [VARIABLE]: `${worker}:${buildId};` };
}

/** Reads a mark back from the entries of an environment. */
export function readMark(environment: string): BuildMark | undefined {
  const [, worker, buildId] = MARK.exec(environment) ?? [];
  return worker ? { worker, buildId: Number(buildId) } : undefined;
}
