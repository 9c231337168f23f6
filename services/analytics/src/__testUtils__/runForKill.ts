import { createService } from '@slipway/service-kit';
import { defineAnalytics } from '../service.ts';
import { API_TOKEN, PROJECT_KEY } from './startAnalytics.ts';

// A process for tests to kill: says on standard output where it listens.
const { directory, engine } = JSON.parse(process.env.ANALYTICS_TEST ?? '{}');
createService(defineAnalytics(), {
  config: {
    listen: { port: 0 },
    logging: { level: 'silent' },
    portal: { baseUrl: 'http://127.0.0.1:1' },
    database: {
      client: 'better-sqlite3',
      connection: { filename: `${directory}/db.sqlite` },
    },
    events: { directory, engine },
    rateLimit: { enabled: false },
    projects: [
      {
        id: 'shop',
        name: 'Shop',
        keys: [{ name: 'test', key: PROJECT_KEY }],
        apiTokens: [{ name: 'test', key: API_TOKEN }],
      },
    ],
  },
})
  .then(async service => {
    process.stdout.write(`${await service.start()}\n`);
  })
  .catch((error: unknown) => {
    process.stderr.write(`${error}\n`);
    process.exit(1);
  });
