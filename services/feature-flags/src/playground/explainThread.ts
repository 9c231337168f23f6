import { parentPort } from 'node:worker_threads';
import { explain } from './explain.ts';
import type { Question, Task } from './Explainer.ts';
import { tabulate } from './tabulate.ts';

// The thread of `Explainer`, which runs one task after the other.

parentPort!.on('message', (task: Task) => {
  parentPort!.postMessage(
    'explain' in task ? answer(task.explain) : tabulate(task.tabulate),
  );
});

function answer({ flag, others, segments, environment, context }: Question) {
  const flags = new Map(others.map(each => [each.name, each]));
  const known = {
    find: (name: string) => flags.get(name),
    segments: new Map(segments.map(each => [each.id, each])),
  };
  return explain(flag, { environment, context, known });
}
