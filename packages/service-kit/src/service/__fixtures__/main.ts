import { setTimeout as delay } from 'node:timers/promises';
import { runService } from '../../index.ts';
import { shopService } from '../../__fixtures__/shopService.ts';

/** Undocumented members of `process`. */
interface Modules {
  moduleLoadList: string[];
}

// Runs the shop as a process. One route prints a line when it begins and takes as long as
// requested; another lists the loaded modules of Node.js.
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
