import { createService } from '@slipway/service-kit';
import { feedbackService } from '../service.ts';
import { KEY } from './startFeedback.ts';

// A process for tests to kill: says on standard output where it listens.
createService(feedbackService, {
  config: {
    listen: { port: 0 },
    logging: { level: 'silent' },
    portal: { baseUrl: process.env.FEEDBACK_PORTAL },
    database: {
      client: 'better-sqlite3',
      connection: { filename: process.env.FEEDBACK_DATABASE },
    },
    auth: { apiKeys: [{ name: 'test', key: KEY }] },
    rateLimit: { enabled: false },
    limits: { eventLoopDelay: 600_000 },
  },
})
  .then(async service => {
    process.stdout.write(`${await service.start()}\n`);
  })
  .catch((error: unknown) => {
    process.stderr.write(`${error}\n`);
    process.exit(1);
  });
