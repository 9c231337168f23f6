import knexFactory from 'knex';
import { DatabaseDeriver } from '../DatabaseDeriver';

// Derives repeatedly. A test runs this in a separate process and kills it.
async function main() {
  const [connection, what] = process.argv.slice(2);
  const knex = knexFactory({
    ...JSON.parse(connection),
    useNullAsDefault: true,
  });
  const deriver = new DatabaseDeriver({
    knex,
    dora: { incidentWindow: 24 * 3_600_000 },
    timeZone: 'UTC',
  });
  await deriver.hasDirty();
  process.stdout.write('ready\n');
  for (;;) {
    await (what === 'rebuild' ? deriver.rebuild() : deriver.drain());
    process.stdout.write('done\n');
  }
}

main().catch(error => {
  process.stderr.write(`${error}\n`);
  process.exit(1);
});
