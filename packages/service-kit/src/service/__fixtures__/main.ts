import { setTimeout as delay } from 'node:timers/promises';
import { runService } from '../../index.ts';
import { shopService } from '../../__fixtures__/shopService.ts';

/** What Node.js has on `process` without documenting it. */
interface Modules {
  moduleLoadList: string[];
}

// Runs the shop as a process, with a route that prints that it begins and takes as long as requested, and one that lists which
// modules of Node.js are loaded.
void runService(
  shopService({
    extend({ app, auth, database, onStop }) {
      app.get(
        '/slow/:ms',
        { config: { access: auth.anyone } },
        async request => {
          process.stdout.write('slow request begun\n');
          await delay(Number((request.params as { ms: string }).ms));
          await database.knex.raw('SELECT 1');
          return 'done';
        },
      );
      app.get(
        '/modules',
        { config: { access: auth.anyone } },
        async () => (process as unknown as Modules).moduleLoadList,
      );
      onStop(() => {
        process.stdout.write('work stopped\n');
      });
    },
  }),
);
