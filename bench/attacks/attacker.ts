import { Connection } from '@slipway/fuzz/src/http/Connection.ts';
import { doJob, forkJob } from '../forkedJob.ts';

/** The request that an attacker repeats. */
export interface AttackJob {
  port: number;
  connections: number;
  seconds: number;
  method: string;
  target: string;
  headers: readonly (readonly [name: string, value: string])[];
  /** Request body, in base64. */
  body?: string;
}

/** Number of responses by status, or by error if there was no response. */
export type AttackResult = Readonly<Record<string, number>>;

/** Runs an attack in another process. @returns the number of responses, once its time is over. */
export function startAttack(job: AttackJob): Promise<AttackResult> {
  return forkJob(import.meta.url, job);
}

async function attack(job: AttackJob): Promise<AttackResult> {
  const { port, connections, seconds, body, ...head } = job;
  const request = {
    ...head,
    ...(body !== undefined && { body: Buffer.from(body, 'base64') }),
  };
  const end = performance.now() + seconds * 1_000;
  const answers: Record<string, number> = {};
  const keepOn = async () => {
    const connection = new Connection(port);
    while (performance.now() < end) {
      const answer = await connection.send(request);
      const what = typeof answer === 'string' ? answer : String(answer.status);
      answers[what] = (answers[what] ?? 0) + 1;
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: connections }, keepOn));
  return answers;
}

doJob(attack);
