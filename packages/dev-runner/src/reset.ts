import { stateDirectory } from './layout.ts';
import { resetState } from './resetState.ts';

process.exitCode = resetState({
  stateDirectory,
  say: text => process.stdout.write(`${text}\n`),
});
