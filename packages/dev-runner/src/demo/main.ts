import { repositoryRoot } from '../layout.ts';
import { readAddresses } from '../readAddresses.ts';
import { runDemo } from './runDemo.ts';

void readAddresses({ root: repositoryRoot, env: process.env })
  .then(({ api }) =>
    runDemo({
      args: process.argv.slice(2),
      api,
      token: process.env.SLIPWAY_TOKEN,
      say: text => process.stdout.write(`${text}\n`),
    }),
  )
  .then(exitCode => {
    process.exitCode = exitCode;
  });
