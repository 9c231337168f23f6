import { createService } from '@slipway/service-kit';
import { spaceMetrics } from '../service.ts';

// A process for tests to kill: says on standard output where it listens.
createService(spaceMetrics, {
  config: {
    listen: { port: 0 },
    logging: { level: 'silent' },
    portal: { baseUrl: 'http://127.0.0.1:1' },
    database: JSON.parse(process.env.SPACE_DATABASE ?? ''),
    auth: { apiKeys: [{ name: 'test', key: process.env.SPACE_KEY }] },
    rateLimit: { enabled: false },
    privacy: { hashKey: 'test-hash-key' },
  },
})
  .then(async service => {
    process.stdout.write(`${await service.start()}\n`);
  })
  .catch((error: unknown) => {
    process.stderr.write(`${error}\n`);
    process.exit(1);
  });
