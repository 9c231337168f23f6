import { Connection } from '@slipway/fuzz/src/http/Connection.ts';
import type { AttackJob, AttackResult } from './AttackJob.ts';

// Attacks in a process of its own, so that it shares no event loop with who measures.

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

process.once('message', (job: AttackJob) => {
  attack(job).then(
    result => process.send?.(result, () => process.disconnect()),
    error => {
      console.error(error);
      process.exit(1);
    },
  );
});
