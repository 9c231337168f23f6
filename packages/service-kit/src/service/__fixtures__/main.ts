import { setTimeout as delay } from 'node:timers/promises';
import { runService } from '../../index.ts';
import { shopService } from '../../__fixtures__/shopService.ts';

// Runs the shop as a process, with a route that takes as long as requested.
void runService(
  shopService({
    extend({ app, auth, database, onStop }) {
      app.get(
        '/slow/:ms',
        { config: { access: auth.anyone } },
        async request => {
          await delay(Number((request.params as { ms: string }).ms));
          await database.knex.raw('SELECT 1');
          return 'done';
        },
      );
      onStop(() => {
        process.stdout.write('work stopped\n');
      });
    },
  }),
);
