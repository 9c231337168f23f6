import { createService } from '@slipway/service-kit';
import { featureFlags } from '../service.ts';

// A process for tests to kill: says on standard output where it listens.
createService(featureFlags, {
  config: {
    listen: { port: 0 },
    logging: { level: 'silent' },
    portal: { baseUrl: 'http://127.0.0.1:1' },
    database: {
      client: 'better-sqlite3',
      connection: { filename: process.env.FLAGS_DATABASE },
    },
    tokens: [
      { name: 'client', type: 'client', token: process.env.FLAGS_CLIENT },
      { name: 'admin', type: 'admin', token: process.env.FLAGS_ADMIN },
    ],
    rateLimit: { enabled: false },
  },
})
  .then(async service => {
    process.stdout.write(`${await service.start()}\n`);
  })
  .catch((error: unknown) => {
    process.stderr.write(`${error}\n`);
    process.exit(1);
  });
