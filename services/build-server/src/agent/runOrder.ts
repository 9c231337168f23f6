import path from 'node:path';
import { type Order, workerOf } from '../agents/Agent.ts';
import { Artifacts } from '../artifacts/Artifacts.ts';
import type { BuildOutcome } from '../builds/Build.ts';
import type { Interrupter, Interruption } from '../execution/commands.ts';
import type { Exchange } from '../execution/Exchange.ts';
import type { Executor } from '../execution/Executor.ts';
import { runBuild } from '../execution/runBuild.ts';
import type { WorkerLogger } from '../execution/Worker.ts';
import { BuildLogs } from '../logs/BuildLogs.ts';
import { StepSecrets } from '../secrets/StepSecrets.ts';
import type { LogUplink } from './LogUplink.ts';
import {
  type AgentClaim,
  isDismissal,
  isRefusal,
  type ServerLink,
} from './ServerLink.ts';

interface OrderOptions {
  /** Id of the agent. */
  id: string;
  link: ServerLink;
  executor: Executor;
  /** Absolute; contains artifacts until the server has received them. */
  directory: string;
  caFile?: string;
  /** Variables of every build, which jobs may replace. */
  environment?: Readonly<Record<string, string>>;
  /** Absolute; contains logs. */
  logs: string;
  uplink: LogUplink;
  interrupter: Interrupter;
  leaseMs: number;
  setIdle(isIdle: boolean): void;
  logger: WorkerLogger;
}

/**
 * Runs a build for the server, and sends its log, files and outcome as they are produced. Never
 * rejects: if the server does not accept the outcome, the build no longer belongs to this agent.
 */
export async function runOrder(
  order: Order,
  options: OrderOptions,
): Promise<void> {
  const { link, executor, directory, caFile, logger } = options;
  const { environment, logs, uplink, interrupter } = options;
  const { build, job, secrets, git, limits } = order;
  const artifacts = new Artifacts({
    directory: path.join(directory, 'artifacts'),
    maxBytes: limits.artifactBytes,
  });
  const buildLogs = new BuildLogs({
    directory: logs,
    maxBytes: limits.logBytes,
    onWritten: () => uplink.written(),
  });
  const stepSecrets = new StepSecrets(secrets);
  let unsent = Promise.resolve();
  await runBuild(
    build,
    {
      signal: interrupter.signal,
      killSignal: interrupter.killSignal,
      isShuttingDown: () => false,
      setIdle: options.setIdle,
    },
    {
      worker: workerOf(options.id, link.session),
      store: {
        async saveProgress(_claim, progress) {
          // Steps do not wait for the server; the final report is complete.
          const body = structuredClone(progress);
          unsent = unsent
            .then(() => link.progress(build, body))
            .catch(() => undefined);
          return true;
        },
        finish: async (_claim, { finishedAt, ...outcome }) => {
          const { reason } = interrupter.killSignal;
          if ((reason as Interruption | undefined)?.kind === 'lost') {
            // The server decides whether it runs again.
            return false;
          }
          await uplink.end();
          await unsent;
          await report(build, outcome, options);
          return true;
        },
      },
      exchangeOf: () => exchangeThrough(link, build),
      jobs: { find: () => job },
      executor,
      logs: buildLogs,
      secrets: stepSecrets,
      git: { ...git, caFile },
      environment,
      artifacts,
      rules: {
        secrets: { has: () => true },
        stepSecrets,
        isProduction: false,
      },
      urlOf: () => order.url,
      leaseMs: options.leaseMs,
      now: Date.now,
      logger,
    },
  );
  uplink.giveUp();
  await buildLogs.remove(build.id);
  await artifacts.remove(build.id);
}

/** Creates what a build exchanges through the server. */
function exchangeThrough(link: ServerLink, claim: AgentClaim): Exchange {
  return {
    gates: { ask: gate => link.ask(claim, gate) },
    caches: {
      fetch: cache => link.fetchCache(claim, cache),
      save: (cache, content) => link.saveCache(claim, cache, content),
    },
    jobArtifacts: {
      list: name => link.listArtifacts(claim, name),
      open: file => link.openArtifact(claim, file),
    },
  };
}

/** Sends the artifacts of a build, then its outcome. The server itself ends builds that were taken away. */
async function report(
  claim: AgentClaim,
  outcome: Omit<BuildOutcome, 'finishedAt'>,
  { link, directory }: Pick<OrderOptions, 'link' | 'directory'>,
): Promise<void> {
  const folder = path.join(directory, 'artifacts', String(claim.id));
  let told = outcome;
  try {
    for (const { path: name } of outcome.artifacts ?? []) {
      await link.artifact(claim, name, path.join(folder, name));
    }
  } catch (error) {
    if (!isRefusal(error)) {
      throw error;
    }
    const reason = `An artifact was refused: ${error.message}`;
    told = { ...outcome, result: 'FAILURE', reason, artifacts: [] };
  }
  const finish = async (end: typeof outcome) => {
    try {
      await link.finish(claim, end);
      return undefined;
    } catch (error) {
      if (!isRefusal(error)) {
        throw error;
      }
      return error;
    }
  };
  const refusal = await finish(told);
  if (refusal && !isDismissal(refusal)) {
    const reason = `The outcome was refused: ${refusal.message}`;
    // Test results are by far the largest part of the outcome.
    await finish({ ...told, result: 'FAILURE', reason, tests: null });
  }
}
