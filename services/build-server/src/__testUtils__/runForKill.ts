import { createService } from '@slipway/service-kit';
import { buildServer } from '../service.ts';
import { SECRETS, TRIGGER_TOKEN } from './startBuildServer.ts';

// A process for tests to kill: says on standard output where it listens.
createService(buildServer, {
  config: {
    listen: { port: 0 },
    logging: { level: 'silent' },
    portal: { baseUrl: 'http://127.0.0.1:1' },
    database: {
      client: 'better-sqlite3',
      connection: { filename: `${process.env.BUILD_DIRECTORY}/db.sqlite` },
    },
    jobsDirectory: process.env.BUILD_DIRECTORY,
    dataDirectory: `${process.env.BUILD_DIRECTORY}/data`,
    secrets: SECRETS,
    killAfterSeconds: 0.2,
    isolation: { mode: process.env.BUILD_ISOLATION ?? 'unsafe-none' },
    auth: {
      users: [{ name: 'dev', key: TRIGGER_TOKEN, scopes: ['read', 'trigger'] }],
    },
  },
})
  .then(async service => {
    process.stdout.write(`${await service.start()}\n`);
  })
  .catch((error: unknown) => {
    process.stderr.write(`${error}\n`);
    process.exit(1);
  });
