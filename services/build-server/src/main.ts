import { hideEnvironment } from './hideEnvironment.ts';

async function main(): Promise<void> {
  // Before anything else is loaded: it may start this program anew.
  hideEnvironment();
  const { runService } = await import('@slipway/service-kit');
  const { buildServer } = await import('./service.ts');
  await runService(buildServer);
}

void main();
