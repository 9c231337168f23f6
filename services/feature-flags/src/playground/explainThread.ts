import { parentPort } from 'node:worker_threads';
import { explain } from './explain.ts';
import type { Question } from './Explainer.ts';

// The thread of `Explainer`: answers one question after the other.

parentPort!.on(
  'message',
  ({ flag, others, segments, environment, context }: Question) => {
    const flags = new Map(others.map(each => [each.name, each]));
    const known = {
      find: (name: string) => flags.get(name),
      segments: new Map(segments.map(each => [each.id, each])),
    };
    parentPort!.postMessage(explain(flag, { environment, context, known }));
  },
);
