import { flushCompileCache } from 'node:module';
import { createService } from '../service/createService.ts';
import type { ServiceDefinition } from '../service/ServiceKit.ts';

// A process for tests to kill (see startProcess.ts). Prints its address on standard output.
async function run(): Promise<void> {
  const { module, name, config } = JSON.parse(
    process.env.KILLABLE_SERVICE ?? '',
  );
  const exported = (await import(module))[name];
  const definition: ServiceDefinition =
    typeof exported === 'function' ? exported() : exported;
  const service = await createService(definition, {
    config,
    isProduction: false,
  });
  // Node.js writes the cache when it exits, which a kill prevents: each start would compile
  // everything again.
  flushCompileCache();
  process.stdout.write(`${await service.start()}\n`);
}

run().catch((error: unknown) => {
  process.stderr.write(`${error}\n`);
  process.exit(1);
});
