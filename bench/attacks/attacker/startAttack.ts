import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { AttackJob, AttackResult } from './AttackJob.ts';

const main = fileURLToPath(new URL('./main.ts', import.meta.url));

/** Attacks from another process. @returns what was answered, once the time is over. */
export function startAttack(job: AttackJob): Promise<AttackResult> {
  return new Promise((resolve, reject) => {
    const child = fork(main);
    child.once('message', result => resolve(result as AttackResult));
    child.once('error', reject);
    child.once('exit', code =>
      reject(new Error(`The attacker ended with ${code}`)),
    );
    child.send(job);
  });
}
